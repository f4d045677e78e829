package dev.sluice.stage.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Operation;
import dev.sluice.stage.NativeBuild;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StageLayoutTest {
  private static final String OPERATION = "OPERATION_";

  @Test
  void javaAndCAgreeOnEveryNumber() throws Exception {
    String printed =
        NativeBuild.run(
                Map.of(), Path.of("/"), List.of(NativeBuild.program("print-layout").toString()))
            .assertSucceeded()
            .output();
    Map<String, Long> inC = new TreeMap<>();
    List<Operation> operations = new ArrayList<>();
    for (String line : printed.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words[0].startsWith(OPERATION)) {
        operations.add(Operation.valueOf(words[0].substring(OPERATION.length())));
      } else {
        inC.put(words[0], Long.parseLong(words[1]));
      }
    }
    Map<String, Long> inJava = new TreeMap<>();
    for (Field field : StageLayout.class.getFields()) {
      if (field.getType().isPrimitive()) {
        inJava.put(field.getName(), field.getLong(null));
      }
    }

    assertThat(inJava).isEqualTo(inC).hasSizeGreaterThan(40);
    assertThat(StageLayout.OPERATIONS).isEqualTo(operations);
  }
}
