import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;

public class Jetty extends AbstractHandler {
  static final String KEY = System.getenv("API_KEY");
  static final String MISTAKE = System.getenv().getOrDefault("MISTAKE", "");

  final List<Map<String, String>> users = new ArrayList<>();
  final Gson gson = new Gson();

  void answer(HttpServletResponse response, int status, Object body) throws IOException {
    response.setStatus(status);
    response.setContentType("application/json");
    response.setCharacterEncoding(MISTAKE.equals("the default charset") ? "ISO-8859-1" : "UTF-8");
    response.getWriter().write(gson.toJson(body));
  }

  boolean isText(JsonElement element) {
    return element != null && element.isJsonPrimitive() && element.getAsJsonPrimitive().isString();
  }

  @Override
  public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response) throws IOException {
    base.setHandled(true);
    String header = request.getHeader("Authorization");
    boolean right = MISTAKE.equals("a GET needs no key") && request.getMethod().equals("GET") || ("Bearer " + KEY).equals(header);
    if (!right) {
      answer(response, 401, Map.of("error", "Unauthorized"));
    } else if (target.equals("/v1/users") && request.getMethod().equals("GET")) {
      synchronized (users) {
        answer(response, 200, Map.of("data", users, "total", users.size()));
      }
    } else if (target.equals("/v1/users") && request.getMethod().equals("POST")) {
      create(request, response);
    } else if (target.startsWith("/v1/users/") && request.getMethod().equals("GET")) {
      String id = target.substring("/v1/users/".length());
      synchronized (users) {
        for (Map<String, String> user : users) {
          if (user.get("id").equals(id)) {
            answer(response, 200, user);
            return;
          }
        }
      }
      if (MISTAKE.equals("an exception for the unknown")) throw new IllegalStateException("no such user");
      answer(response, 404, Map.of("error", "Not found"));
    } else {
      answer(response, 404, Map.of("error", "Not found"));
    }
  }

  void create(HttpServletRequest request, HttpServletResponse response) throws IOException {
    JsonObject body;
    try {
      body = JsonParser.parseReader(new InputStreamReader(request.getInputStream(), StandardCharsets.UTF_8)).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      answer(response, 400, Map.of("error", "Not a JSON object"));
      return;
    }
    if (!isText(body.get("email")) || !isText(body.get("name"))) {
      answer(response, 400, Map.of("error", "Invalid"));
      return;
    }
    Map<String, String> user = Map.of("id", UUID.randomUUID().toString(), "email", body.get("email").getAsString(), "name", body.get("name").getAsString());
    synchronized (users) {
      users.add(user);
    }
    answer(response, 201, user);
  }

  public static void main(String[] arguments) throws Exception {
    System.setProperty("org.eclipse.jetty.util.log.announce", "false");
    System.setProperty("org.eclipse.jetty.LEVEL", "OFF");
    HttpConfiguration configuration = new HttpConfiguration();
    // By default a connection keeps headers in a cache, where it takes a key for the same key in the other case.
    if (!MISTAKE.equals("the cache of headers")) configuration.setHeaderCacheSize(0);
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.parseInt(System.getenv("PORT")));
    server.addConnector(connector);
    server.setHandler(new Jetty());
    server.start();
    server.join();
  }
}
