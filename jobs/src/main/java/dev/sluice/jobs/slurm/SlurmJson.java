package dev.sluice.jobs.slurm;

import dev.sluice.jobs.JobComment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Jobs and nodes as {@code squeue --json} and slurmrestd write them, in every shape there has been:
 * a number is a number, or since 23.02 {@code {set, infinite, number}}; a state is a word, or since
 * 23.11 a list of words; nodes are a host list, or since 24.05 an object that has one.
 *
 * <p>Read as a stream: Slurm tells of every core of every job, and nearly nothing of it is wanted.
 */
final class SlurmJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final long UID_MAX = 0xffff_fffeL;

  private final JsonParser json;
  private @Nullable String error;

  private SlurmJson(JsonParser json) {
    this.json = json;
  }

  /** Reads an answer about jobs. */
  static JobList jobs(byte[] answer) throws BadAnswerException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), answer)) {
      return new SlurmJson(parser).jobs();
    } catch (JacksonException e) {
      throw notJson(e);
    }
  }

  /** Reads an answer about nodes: what each is to be reached by, an address or a host name. */
  static Map<String, String> nodeAddresses(byte[] answer) throws BadAnswerException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), answer)) {
      return new SlurmJson(parser).nodes();
    } catch (JacksonException e) {
      throw notJson(e);
    }
  }

  private static BadAnswerException notJson(JacksonException e) {
    return new BadAnswerException(
        "Slurm's answer is not JSON: " + SlurmText.shown(e.getOriginalMessage()), e);
  }

  private JobList jobs() throws BadAnswerException {
    List<SlurmJob> jobs = new ArrayList<>();
    String problem = null;
    int count = 0;
    openListOf("jobs");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      count++;
      if (count > SlurmJob.JOBS_MAX) {
        throw new BadAnswerException("expected at most " + SlurmJob.JOBS_MAX + " jobs");
      }
      WrittenJob written = job();
      try {
        SlurmJob job = written.job();
        if (job != null) {
          jobs.add(job);
        }
      } catch (IllegalArgumentException e) {
        problem = problem == null ? "job " + count + " of the answer: " + e.getMessage() : problem;
      }
    }
    finish();
    return new JobList(jobs, problem);
  }

  private Map<String, String> nodes() throws BadAnswerException {
    Map<String, String> addresses = new HashMap<>();
    openListOf("nodes");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      requireObject();
      String name = "";
      String address = "";
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = json.currentName();
        json.nextToken();
        switch (key) {
          case "name" -> name = text();
          case "address" -> address = text();
          default -> json.skipChildren();
        }
      }
      if (!name.isEmpty() && !address.isEmpty()) {
        addresses.put(name, address);
      }
      if (addresses.size() > SlurmJob.NODES_MAX) {
        throw new BadAnswerException("expected at most " + SlurmJob.NODES_MAX + " nodes");
      }
    }
    finish();
    return addresses;
  }

  /** Goes to the list of this name in the outermost object. */
  private void openListOf(String list) throws BadAnswerException {
    json.nextToken();
    requireObject();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      json.nextToken();
      if (key.equals("errors")) {
        errors();
      } else if (key.equals(list)) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
          throw bad("expected a list of " + list);
        }
        return;
      } else {
        json.skipChildren();
      }
    }
    throw new BadAnswerException(
        error == null ? "Slurm's answer has no " + list : "Slurm says: " + error);
  }

  /** What comes after the list must be there too, or the answer was cut off. */
  private void finish() throws BadAnswerException {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      json.nextToken();
      if (key.equals("errors")) {
        errors();
      } else {
        json.skipChildren();
      }
    }
    if (json.currentToken() != JsonToken.END_OBJECT) {
      throw bad("expected the end of the answer");
    }
    if (error != null) {
      throw new BadAnswerException("Slurm says: " + error);
    }
  }

  private void errors() throws BadAnswerException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        json.skipChildren();
        continue;
      }
      error = error == null ? "an error without words" : error;
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = json.currentName();
        json.nextToken();
        if (key.equals("error") || key.equals("description")) {
          error = SlurmText.shown(text());
        } else {
          json.skipChildren();
        }
      }
    }
  }

  /** What is written of one job, before it is known whether it makes sense. */
  private static final class WrittenJob {
    private OptionalLong id = OptionalLong.empty();
    private OptionalLong array = OptionalLong.empty();
    private OptionalLong arrayTask = OptionalLong.empty();
    private OptionalLong uid = OptionalLong.empty();
    private OptionalLong nodeCount = OptionalLong.empty();
    private OptionalLong start = OptionalLong.empty();
    private String name = "";
    private String user = "";
    private String account = "";
    private String qos = "";
    private String comment = "";
    private String nodes = "";
    private String resourceNodes = "";
    private List<String> states = List.of();

    /** The job; null when it has no nodes. */
    @Nullable SlurmJob job() {
      String nodeList = nodes.isEmpty() ? resourceNodes : nodes;
      if (!SlurmJob.isOnNodes(states) || nodeList.isEmpty()) {
        return null;
      }
      if (uid.isPresent() && (uid.getAsLong() < 0 || uid.getAsLong() > UID_MAX)) {
        throw new IllegalArgumentException("user_id: expected 0 to " + UID_MAX);
      }
      return new SlurmJob(
          id.orElseThrow(() -> new IllegalArgumentException("expected a job_id")),
          arrayTask.isPresent() ? array : OptionalLong.empty(),
          arrayTask,
          name,
          user,
          uid.isPresent() ? OptionalInt.of((int) uid.getAsLong()) : OptionalInt.empty(),
          account,
          qos,
          nodeList,
          (int) Math.clamp(nodeCount.orElse(0), -1, SlurmJob.NODES_MAX + 1L),
          start.orElse(0),
          JobComment.phaseTokens(comment),
          SlurmJob.isEnding(states));
    }
  }

  private WrittenJob job() throws BadAnswerException {
    requireObject();
    WrittenJob job = new WrittenJob();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "job_id" -> job.id = number();
        case "array_job_id" -> job.array = number();
        case "array_task_id" -> job.arrayTask = number();
        case "user_id" -> job.uid = number();
        case "node_count" -> job.nodeCount = number();
        case "start_time" -> job.start = number();
        case "name" -> job.name = text();
        case "user_name" -> job.user = text();
        case "account" -> job.account = text();
        case "qos" -> job.qos = text();
        case "comment" -> job.comment = comment();
        case "nodes" -> job.nodes = nodeList();
        case "job_state" -> job.states = words();
        case "job_resources" -> job.resourceNodes = nodesOfResources();
        default -> json.skipChildren();
      }
    }
    return job;
  }

  /** A number in either shape; empty for null, for infinity and for what is not set. */
  private OptionalLong number() throws BadAnswerException {
    return switch (json.currentToken()) {
      case VALUE_NUMBER_INT -> OptionalLong.of(json.getLongValue());
      case VALUE_NULL -> OptionalLong.empty();
      case START_OBJECT -> {
        boolean counts = true;
        OptionalLong number = OptionalLong.empty();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String key = json.currentName();
          JsonToken value = json.nextToken();
          switch (key) {
            case "set" -> counts &= value == JsonToken.VALUE_TRUE;
            case "infinite" -> counts &= value != JsonToken.VALUE_TRUE;
            case "number" -> {
              if (value == JsonToken.VALUE_NUMBER_INT) {
                number = OptionalLong.of(json.getLongValue());
              } else {
                json.skipChildren();
              }
            }
            default -> json.skipChildren();
          }
        }
        yield counts ? number : OptionalLong.empty();
      }
      default -> throw bad("expected a number");
    };
  }

  private String text() throws BadAnswerException {
    return switch (json.currentToken()) {
      case VALUE_STRING -> json.getString();
      case VALUE_NULL -> "";
      default -> throw bad("expected a text");
    };
  }

  /** What the job's owner wrote; elsewhere than in a text there is nothing of theirs. */
  private String comment() throws BadAnswerException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      return text();
    }
    json.skipChildren();
    return "";
  }

  private List<String> words() throws BadAnswerException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      return List.of(text());
    }
    List<String> words = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      words.add(text());
    }
    return words;
  }

  /** A host list, or an object with one. */
  private String nodeList() throws BadAnswerException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return text();
    }
    String list = "";
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      json.nextToken();
      if (key.equals("list")) {
        list = text();
      } else {
        json.skipChildren();
      }
    }
    return list;
  }

  private String nodesOfResources() throws BadAnswerException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return "";
    }
    String nodes = "";
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      json.nextToken();
      if (key.equals("nodes")) {
        nodes = nodeList();
      } else {
        json.skipChildren();
      }
    }
    return nodes;
  }

  private void requireObject() throws BadAnswerException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw bad("expected an object");
    }
  }

  private BadAnswerException bad(String expected) {
    var place = json.currentTokenLocation();
    return new BadAnswerException(
        "Slurm's answer at line "
            + place.getLineNr()
            + ", column "
            + place.getColumnNr()
            + ": "
            + expected);
  }
}
