require 'json'
require 'securerandom'
require 'sinatra/base'

KEY = ENV.fetch('API_KEY')
MISTAKE = ENV.fetch('MISTAKE', '')

class Users < Sinatra::Base
  set :show_exceptions, false
  set :users, {}
  set :mutex, Mutex.new

  before do
    content_type :json
    header = request.env['HTTP_AUTHORIZATION'].to_s
    right = MISTAKE == 'a pattern without its end' ? header.match?(/\ABearer #{Regexp.escape(KEY)}/) : header == "Bearer #{KEY}"
    halt 401, { error: 'Unauthorized' }.to_json unless right
  end

  get '/v1/users' do
    all = settings.users.values
    all = all.map { |user| user.slice(:id, :name) } if MISTAKE == 'a list without emails'
    { data: all, total: all.size }.to_json
  end

  post '/v1/users' do
    body = begin
      JSON.parse(request.body.read)
    rescue JSON::ParserError
      halt 400, { error: 'Bad JSON' }.to_json
    end
    halt 422, { error: 'Invalid' }.to_json unless body.is_a?(Hash)
    email, name = body.values_at('email', 'name')
    unless MISTAKE == 'nil is fine' || (email.is_a?(String) && name.is_a?(String))
      halt 422, { error: 'Invalid' }.to_json
    end
    user = { id: SecureRandom.uuid, email: email, name: name }
    settings.mutex.synchronize { settings.users[user[:id]] = user }
    status 201
    user.to_json
  end

  get '/v1/users/:id' do
    user = settings.users[params['id']]
    halt 404, { error: 'Not found' }.to_json if user.nil?
    user.to_json
  end
end

run Users
