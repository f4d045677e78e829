package dev.sluice.control.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.sluice.control.v1.ControlServiceGrpc;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.MemberMessage;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The one call of the protocol, as each side sees it. */
public final class ExchangeMethod {
  /** More than ten thousand new jobs in one report; a bound on what a stranger makes us read. */
  public static final int MESSAGE_BYTES_MAX = 4 << 20;

  /** What gRPC itself reads: a little more, so that we can say why a message is too long. */
  public static final int BYTES_READ_MAX = 2 * MESSAGE_BYTES_MAX;

  /**
   * How much may be on its way unread. A fixed number, because gRPC would otherwise find a good one
   * by a ping with every report, which costs both sides as much as the report itself.
   */
  public static final int WINDOW_BYTES = 1 << 20;

  private ExchangeMethod() {}

  /** As members see it. */
  public static MethodDescriptor<MemberMessage, ControllerMessage> calling() {
    return ControlServiceGrpc.getExchangeMethod();
  }

  /**
   * As those see it whom members call: what cannot be read gets to them, to be refused in words.
   */
  public static MethodDescriptor<Received, ControllerMessage> answering() {
    return calling().toBuilder(new ReceivedMarshaller(), calling().getResponseMarshaller()).build();
  }

  private static final class ReceivedMarshaller implements Marshaller<Received> {
    @Override
    public InputStream stream(Received value) {
      return switch (value) {
        case Received.Message message -> new ByteArrayInputStream(message.content().toByteArray());
        case Received.Malformed malformed -> throw new IllegalArgumentException(malformed.reason());
      };
    }

    @Override
    public Received parse(InputStream stream) {
      try (stream) {
        int length = stream.available();
        if (length > MESSAGE_BYTES_MAX) {
          return new Received.Malformed(
              "a message of " + length + " bytes; expected at most " + MESSAGE_BYTES_MAX);
        }
        // Where the length is known, no more room is made than needed, which is much for a report.
        byte[] content =
            stream instanceof KnownLength ? stream.readNBytes(length) : stream.readAllBytes();
        CodedInputStream input = CodedInputStream.newInstance(content);
        MemberMessage message =
            MemberMessage.parseFrom(input, ExtensionRegistryLite.getEmptyRegistry());
        return new Received.Message(message);
      } catch (InvalidProtocolBufferException e) {
        return new Received.Malformed("this is no message of ours: " + e.getMessage());
      } catch (IOException e) {
        return new Received.Malformed("the message could not be read: " + e.getMessage());
      }
    }
  }
}
