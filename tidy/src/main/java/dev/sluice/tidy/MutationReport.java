package dev.sluice.tidy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** All mutants of a run of the mutation tester, from the report that it writes in XML. */
final class MutationReport {
  private MutationReport() {}

  /**
   * Reads a report.
   *
   * @param sources where the packages of the classes that were changed begin
   */
  static List<Mutant> read(Path report, Path sources) throws IOException {
    NodeList elements;
    try {
      elements =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(report.toFile())
              .getElementsByTagName("mutation");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(report + " cannot be read: " + e.getMessage(), e);
    }
    Map<Path, List<String>> lines = new HashMap<>();
    List<Mutant> mutants = new ArrayList<>(elements.getLength());
    for (int i = 0; i < elements.getLength(); i++) {
      mutants.add(mutant((Element) elements.item(i), sources, lines));
    }
    return mutants;
  }

  private static Mutant mutant(Element element, Path sources, Map<Path, List<String>> lines)
      throws IOException {
    String type = text(element, "mutatedClass");
    String folder = type.substring(0, type.lastIndexOf('.')).replace('.', '/');
    Path file = sources.resolve(folder).resolve(text(element, "sourceFile"));
    if (!lines.containsKey(file)) {
      lines.put(file, Files.readAllLines(file));
    }
    int line = Integer.parseInt(text(element, "lineNumber"));
    return new Mutant(
        new Mutant.Change(
            type,
            Mutant.methodOf(text(element, "mutatedMethod")),
            description(text(element, "description")),
            lines.getOrDefault(file, List.of()).get(line - 1).strip()),
        line,
        Boolean.parseBoolean(element.getAttribute("detected")));
  }

  /** Without the folders of classes, and without the method, which is known. */
  private static String description(String words) {
    return words.replaceAll(" for \\S+::\\S+$", "").replaceAll("(\\w+/)+", "");
  }

  private static String text(Element element, String name) throws IOException {
    NodeList found = element.getElementsByTagName(name);
    if (found.getLength() != 1) {
      throw new IOException("a mutation has " + found.getLength() + " elements " + name);
    }
    return found.item(0).getTextContent();
  }
}
