import { existsSync } from 'node:fs';

/** An implementation in the usual style of a framework, and the usual mistakes there. */
export interface Implementation {
  name: string;
  /** The Debian packages that it needs, and files that show whether they are installed. */
  packages?: { names: string; files: string[] };
  /** The command that compiles it. {out} is an empty folder. */
  build?: string[];
  /** The command that starts it. It gets PORT, API_KEY, MISTAKE, DATA (a folder) and {out}. */
  start: string[];
  /** Names of mistakes, and the requirement that each one fails. */
  mistakes: Record<string, string>;
  /**
   * Whether requirements may stay unverified, because the service gets slower with each request.
   */
  mayBeUnverified?: true;
}

const SERVICES = `${import.meta.dirname}/services`;
const node = (file: string) => ['node', `${SERVICES}/${file}`];
const PYTHON = '/usr/bin/python3';
const JARS = '/usr/share/java';
const CLASSPATH = [
  'jetty9-server',
  'jetty9-util',
  'jetty9-http',
  'jetty9-io',
  'servlet-api',
  'gson',
]
  .map((name) => `${JARS}/${name}.jar`)
  .join(':');

/** Returns the reason why an implementation can't be judged here; undefined if it can. */
export function obstacleOf({ packages }: Implementation): string | undefined {
  const missing = packages?.files.find((file) => !existsSync(file));
  return missing && `${missing} is missing: apt-get install ${packages?.names}`;
}

const ofNpm: Implementation[] = [
  {
    name: 'Express 5',
    start: node('express.mjs'),
    mistakes: {
      'any scheme': 'authentication.other-scheme',
      'the guard after a route': 'authentication.list-needs-key',
      'truthy is enough': 'create.strings-only',
    },
  },
  {
    name: 'Express 5, express-rate-limit',
    start: node('rate-limit.mjs'),
    mistakes: {
      'the client in the message': 'authentication.key-not-in-answers',
      '403 for too many': 'create.answers',
    },
  },
  {
    name: 'Express 5, express-slow-down',
    start: node('slow-down.mjs'),
    mistakes: {},
    mayBeUnverified: true,
  },
  {
    name: 'Fastify 5',
    start: node('fastify.mjs'),
    mistakes: {
      startsWith: 'authentication.key-extended',
      'a member forgotten in required': 'create.name-required',
      'the total as text': 'list.total-integer',
    },
  },
  {
    name: 'Koa 3',
    start: node('koa.mjs'),
    mistakes: {
      'the key in the query': 'authentication.key-in-query',
      'no validation': 'create.members-required',
      'a variable of the module': 'list.contains-created',
    },
  },
  {
    name: 'hapi 21, joi, hapi-auth-bearer-token',
    start: node('hapi.mjs'),
    mistakes: {
      'the token in the query': 'authentication.key-in-query',
      'an optional email': 'create.email-required',
      'auth switched off for a route': 'authentication.retrieve-needs-key',
    },
  },
  {
    name: 'NestJS 11, class-validator',
    start: node('nest.mjs'),
    mistakes: {
      'UseGuards forgotten': 'authentication.list-needs-key',
      'data and meta': 'list.total-integer',
      'no ValidationPipe': 'create.members-required',
    },
  },
  {
    name: 'Hono 4',
    start: node('hono.mjs'),
    mistakes: {
      'a guard for the collection alone': 'authentication.retrieve-needs-key',
      'null for an empty list': 'list.data-array',
      'names trimmed to ASCII': 'round-trip.letters-beyond-ascii',
    },
  },
  {
    name: 'restify 11',
    start: node('restify.mjs'),
    mistakes: {
      'the case folded': 'authentication.key-case',
      'a name used as the email': 'retrieve.values',
      'the index -1': 'retrieve.unknown',
    },
  },
  {
    name: 'h3 2',
    start: node('h3.mjs'),
    mistakes: {
      'replace and compare': 'authentication.no-scheme',
      'the total one too many': 'list.empty-only-at-zero',
      'parseInt and the array': 'retrieve.unknown',
    },
  },
  {
    name: "tRPC 11, OpenAPI's handler",
    start: node('trpc.mjs'),
    mistakes: {
      'the newest ten, and their number': 'list.contains-created',
      coerce: 'create.strings-only',
      'a public procedure': 'authentication.retrieve-needs-key',
    },
  },
  {
    name: 'Sails 1',
    start: node('sails.mjs'),
    mistakes: {
      includes: 'authentication.key-extended',
      'what came, sent back': 'authentication.key-not-in-answers',
      'created, not kept': 'retrieve.created-user',
    },
  },
];

const ofDebian: Implementation[] = [
  {
    name: 'Django on gunicorn, two workers',
    packages: {
      names: 'python3-django gunicorn',
      files: ['/usr/lib/python3/dist-packages/django', '/usr/bin/gunicorn'],
    },
    start: [
      'sh',
      '-c',
      `exec /usr/bin/gunicorn --chdir ${SERVICES} --preload -w 2 -b 127.0.0.1:$PORT --log-level critical django_app`,
    ],
    mistakes: {
      'a view without the decorator': 'authentication.retrieve-needs-key',
      'str() of what came': 'create.members-required',
      'the slash appended': 'list.answers',
    },
  },
  {
    name: 'Django REST Framework on gunicorn, two workers',
    packages: {
      names: 'python3-djangorestframework gunicorn',
      files: ['/usr/lib/python3/dist-packages/rest_framework', '/usr/bin/gunicorn'],
    },
    start: [
      'sh',
      '-c',
      `exec /usr/bin/gunicorn --chdir ${SERVICES} --preload -w 2 -b 127.0.0.1:$PORT --log-level critical drf_app`,
    ],
    mistakes: {
      'permission_classes = []': 'authentication.retrieve-needs-key',
      'required=False': 'create.name-required',
      'the length of the page': 'list.total-counts-creations',
      'a name cut to its column': 'retrieve.values',
    },
  },
  {
    name: 'FastAPI with pydantic 1, on Hypercorn',
    packages: {
      names: 'python3-fastapi python3-hypercorn python3-uvicorn',
      files: ['fastapi', 'hypercorn', 'uvicorn'].map(
        (name) => `/usr/lib/python3/dist-packages/${name}`,
      ),
    },
    start: [PYTHON, `${SERVICES}/fastapi_app.py`],
    mistakes: {
      startswith: 'authentication.key-extended',
      Optional: 'create.name-required',
      'a str in the model': 'list.total-integer',
      // It rejects the Upgrade that Java's client offers.
      'uvicorn 0.17': 'http.equivalent-requests',
    },
  },
  {
    name: 'aiohttp with pydantic 1',
    packages: {
      names: 'python3-aiohttp python3-pydantic',
      files: ['/usr/lib/python3/dist-packages/aiohttp', '/usr/lib/python3/dist-packages/pydantic'],
    },
    start: [PYTHON, `${SERVICES}/aiohttp_app.py`],
    mistakes: {
      'a GET is public': 'authentication.list-needs-key',
      'construct()': 'create.strings-only',
      'users[-1]': 'retrieve.unknown',
    },
  },
  {
    name: 'Flask on waitress',
    packages: {
      names: 'python3-flask python3-waitress',
      files: ['/usr/lib/python3/dist-packages/flask', '/usr/lib/python3/dist-packages/waitress'],
    },
    start: [PYTHON, `${SERVICES}/flask_app.py`],
    mistakes: {
      'in instead of ==': 'authentication.key-extended',
      'silent=True': 'create.members-required',
      'a default for get': 'retrieve.unknown',
    },
  },
  {
    name: 'Sinatra on Puma, five threads',
    packages: {
      names: 'ruby-sinatra puma',
      files: ['/usr/bin/puma', '/usr/share/doc/ruby-sinatra'],
    },
    start: [
      'sh',
      '-c',
      `exec /usr/bin/puma -q -t 5:5 -e production -b tcp://127.0.0.1:$PORT ${SERVICES}/sinatra.ru`,
    ],
    mistakes: {
      'a pattern without its end': 'authentication.key-extended',
      'a list without emails': 'list.users',
      'nil is fine': 'create.members-required',
    },
  },
  {
    name: 'Mojolicious',
    packages: { names: 'libmojolicious-perl', files: ['/usr/share/perl5/Mojolicious.pm'] },
    start: ['sh', '-c', `exec perl ${SERVICES}/mojolicious.pl daemon -l http://127.0.0.1:$PORT`],
    mistakes: {
      'lc on both sides': 'authentication.key-case',
      'a number joined to a text': 'list.total-integer',
      'no defined': 'create.members-required',
    },
  },
  {
    name: 'PHP behind Apache',
    packages: {
      names: 'apache2 libapache2-mod-php php-sqlite3',
      files: [
        '/usr/sbin/apache2',
        '/usr/lib/apache2/modules/mod_mpm_prefork.so',
        '/usr/share/doc/php-sqlite3',
      ],
    },
    start: ['sh', `${SERVICES}/php/apache.sh`],
    mistakes: {
      strpos: 'authentication.key-extended',
      LIKE: 'retrieve.odd',
      array_filter: 'list.data-array',
    },
  },
  {
    name: 'Go net/http',
    packages: { names: 'golang-go', files: ['/usr/bin/go'] },
    build: ['go', 'build', '-o', '{out}/service', `${SERVICES}/go.go`],
    start: ['{out}/service'],
    mistakes: {
      TrimPrefix: 'authentication.no-scheme',
      'a nil slice': 'list.data-array',
      'zero values': 'create.members-required',
    },
  },
  {
    name: 'Jetty 9.4, Gson',
    packages: {
      names: 'default-jdk-headless libjetty9-java libgoogle-gson-java',
      files: ['/usr/bin/javac', `${JARS}/jetty9-server.jar`, `${JARS}/gson.jar`],
    },
    build: ['javac', '-cp', CLASSPATH, '-d', '{out}', `${SERVICES}/Jetty.java`],
    start: ['java', '-cp', `${CLASSPATH}:{out}`, 'Jetty'],
    mistakes: {
      'a GET needs no key': 'authentication.list-needs-key',
      'the default charset': 'round-trip.letters-beyond-ascii',
      'the cache of headers': 'authentication.key-case',
    },
  },
  {
    name: 'C++, cpp-httplib',
    packages: {
      names: 'g++ libcpp-httplib-dev nlohmann-json3-dev',
      files: ['/usr/bin/g++', '/usr/include/httplib.h', '/usr/include/nlohmann/json.hpp'],
    },
    build: [
      'g++',
      '-O1',
      '-std=c++17',
      '-o',
      '{out}/service',
      `${SERVICES}/httplib.cpp`,
      '-lcpp-httplib',
      '-lpthread',
    ],
    start: ['{out}/service'],
    mistakes: {
      strncmp: 'authentication.key-cut-short',
      'a size of bytes': 'list.total-counts-creations',
      'a buffer of 16 bytes': 'retrieve.values',
      'the body left unread': 'http.survives-bad-requests',
    },
  },
  {
    name: 'HAProxy in front of gunicorn',
    packages: { names: 'haproxy gunicorn', files: ['/usr/sbin/haproxy', '/usr/bin/gunicorn'] },
    start: ['sh', `${SERVICES}/haproxy/haproxy.sh`],
    mistakes: {
      'a path prefix': 'guard.path-spelling',
      'names with underscores': 'guard.trusted-headers',
      'a cache before the guard': 'authentication.list-needs-key',
    },
  },
  {
    name: 'nginx with limit_req, in front of gunicorn',
    packages: { names: 'nginx-light gunicorn', files: ['/usr/sbin/nginx', '/usr/bin/gunicorn'] },
    start: ['sh', `${SERVICES}/nginx/nginx.sh`],
    mistakes: {
      'a pattern without its end': 'authentication.key-extended',
      'a guard for one location': 'authentication.retrieve-needs-key',
    },
  },
  {
    name: 'PostgreSQL, a pool of ten connections',
    packages: { names: 'postgresql', files: ['/usr/bin/pg_isready', '/usr/lib/postgresql'] },
    start: ['sh', `${SERVICES}/postgres/postgres.sh`],
    mistakes: {
      'a transaction left open': 'list.total-covers-data',
      'no ROLLBACK after an error': 'http.no-sporadic-error',
      'lastval from the pool': 'create.concurrent',
      'a cast to varchar(30)': 'retrieve.values',
      'an upsert': 'create.same-email',
    },
  },
];

export const implementations: Implementation[] = [...ofNpm, ...ofDebian];
