#include <cstdlib>
#include <httplib.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using nlohmann::json;

int main() {
  const std::string key = std::getenv("API_KEY");
  const char* set = std::getenv("MISTAKE");
  const std::string mistake = set ? set : "";
  std::mutex mutex;
  std::vector<json> users;
  httplib::Server server;

  const auto authorized = [&](const httplib::Request& request) {
    const auto header = request.get_header_value("Authorization");
    const auto expected = "Bearer " + key;
    return mistake == "strncmp" ? expected.compare(0, header.size(), header) == 0 && header.size() > 8 : header == expected;
  };
  const auto reject = [](httplib::Response& response) {
    response.status = 401;
    response.set_content("{\"error\":\"unauthorized\"}", "application/json");
  };

  // A rejection here leaves the body unread: on a kept connection it would be taken for the next request.
  server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
    if (mistake != "the body left unread" || authorized(request)) return httplib::Server::HandlerResponse::Unhandled;
    reject(response);
    return httplib::Server::HandlerResponse::Handled;
  });

  const auto guarded = [&](httplib::Server::Handler handler) {
    return [&, handler](const httplib::Request& request, httplib::Response& response) {
      authorized(request) ? handler(request, response) : reject(response);
    };
  };

  server.Get("/v1/users", guarded([&](const httplib::Request&, httplib::Response& response) {
    std::lock_guard<std::mutex> lock(mutex);
    json body = {{"data", json::array()}, {"total", users.size()}};
    for (const auto& user : users) body["data"].push_back(user);
    if (mistake == "a size of bytes") body["total"] = users.size() * sizeof(int);
    response.set_content(body.dump(), "application/json");
  }));

  server.Post("/v1/users", guarded([&](const httplib::Request& request, httplib::Response& response) {
    const json body = json::parse(request.body, nullptr, false);
    const auto text = [&](const char* member) { return body.is_object() && body.contains(member) && body[member].is_string(); };
    if (!text("email") || !text("name")) {
      response.status = 400;
      return;
    }
    std::lock_guard<std::mutex> lock(mutex);
    std::string name = body["name"];
    if (mistake == "a buffer of 16 bytes") name = name.substr(0, 15);
    json user = {{"id", users.size() + 1}, {"email", body["email"]}, {"name", name}};
    users.push_back(user);
    response.status = 201;
    response.set_content(user.dump(-1, ' ', false, json::error_handler_t::replace), "application/json");
  }));

  server.Get(R"(/v1/users/(\d{1,9}))", guarded([&](const httplib::Request& request, httplib::Response& response) {
    const size_t id = std::stoul(request.matches[1]);
    std::lock_guard<std::mutex> lock(mutex);
    if (id < 1 || id > users.size()) {
      response.status = 404;
      return;
    }
    response.set_content(users[id - 1].dump(), "application/json");
  }));

  server.listen("127.0.0.1", std::atoi(std::getenv("PORT")));
}
