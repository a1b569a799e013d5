use Mojolicious::Lite -signatures;

my ($key, $mistake) = ($ENV{API_KEY}, $ENV{MISTAKE} // '');
my @users;
app->log->level('fatal');
app->mode('production');

under '/v1' => sub ($c) {
  my $header = $c->req->headers->authorization // '';
  my $right = $mistake eq 'lc on both sides' ? lc $header eq lc "Bearer $key" : $header eq "Bearer $key";
  return 1 if $right;
  $c->render(json => {error => 'Unauthorized'}, status => 401);
  return undef;
};

get '/users' => sub ($c) {
  my $total = $mistake eq 'a number joined to a text' ? '' . @users : scalar @users;
  $c->render(json => {data => \@users, total => $total});
};

post '/users' => sub ($c) {
  my $body = $c->req->json;
  my $valid = ref $body eq 'HASH' && defined $body->{email} && defined $body->{name} && !ref $body->{email} && !ref $body->{name};
  $valid = ref $body eq 'HASH' if $mistake eq 'no defined';
  return $c->render(json => {error => 'Invalid'}, status => 400) unless $valid;
  my $user = {id => @users + 1, email => "$body->{email}", name => "$body->{name}"};
  push @users, $user;
  $c->res->headers->location("/v1/users/$user->{id}");
  $c->render(json => $user, status => 201);
};

get '/users/:id' => [id => qr/[0-9]+/] => sub ($c) {
  my $id = $c->param('id');
  my $user = $id > 0 ? $users[$id - 1] : undef;
  return $c->render(json => {error => 'Not found'}, status => 404) unless $user && $user->{id} eq $id;
  $c->render(json => $user);
};

app->start;
