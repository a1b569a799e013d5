import fc from 'fast-check';

/** JSON values and texts that parsers and lookups often get wrong. */
const oddTexts = [
  '{"toString":"x"}',
  '[{"toString":"x"}]',
  '{"toString":1,"valueOf":2,"toJSON":3,"then":"x"}',
  '{"__proto__":{"id":"x"},"constructor":{"prototype":1},"hasOwnProperty":0}',
  '{"isLosslessNumber":true,"value":"12"}',
  '{"length":-1}',
  '{"":""}',
  '{"id":1,"id":2,"email":"a","email":{"id":1}}',
  '"\\ud800"',
  '"a\\udc00b"',
  '{"\\ud800":"\\udfff"}',
  '"\\u0000"',
  '"\\r\\nx: y"',
  '"."',
  '".."',
  '"../users"',
  '"%"',
  '"%2e%2e"',
  '"%2f%zz"',
  '"?#"',
  '"/"',
  '"//"',
  '"http://127.0.0.1/v1/users/1"',
  '"blob:http://127.0.0.1/1"',
  '"http://[::1"',
  '"<API_KEY>"',
  '"<API_KEY with character 3 changed>"',
  '"__proto__"',
  '"constructor"',
  '1e999',
  '-1e999',
  '1e-999',
  '-0',
  '-0.0',
  '3.0',
  '1e2',
  '9007199254740993',
  '123456789012345678901234567890',
  `1${'0'.repeat(999)}`,
  `1${'0'.repeat(1001)}`,
  '0.1000000000000000055511151231257827',
  'null',
  'true',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  nested(900),
  nested(1001),
  nested(20_000),
  `"${'x'.repeat(5000)}"`,
  `"${'é'.repeat(400)}"`,
  `{${Array.from({ length: 3000 }, (_, index) => `"m${index}":${index}`).join()}}`,
  // These are not JSON.
  '',
  ' ',
  'NaN',
  'undefined',
  "{'id':1}",
  '{"id":1',
  '[1,]',
  '01',
  '"\\x"',
  '\ufeff{}',
  '{}{}',
  '"\u0001"',
];

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

/**
 * Any code point but a surrogate. The unit `binary` of fast-check is the same, and takes seconds to
 * make.
 */
const anyLetter = fc
  .nat(0x10ffff - 0x800)
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** A text in the place of a JSON value, often one that parsers and lookups get wrong. */
export const jsonText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.json({ stringUnit: anyLetter }) },
  { weight: 1, arbitrary: fc.string({ unit: anyLetter }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
  { weight: 1, arbitrary: fc.double().map((number) => `${number}`) },
);

/** Names of members: of the interface, of usual services, and of every JavaScript object. */
export const memberName = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'id',
      'email',
      'name',
      'data',
      'total',
      '_id',
      'uuid',
      'user',
      'error',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'toJSON',
      'then',
      'length',
      '',
      '\\ud800',
      '0',
    ),
  },
);

export const status = fc.oneof(
  fc.constantFrom(
    200,
    201,
    202,
    204,
    205,
    206,
    301,
    304,
    307,
    400,
    401,
    404,
    407,
    416,
    429,
    500,
    502,
    503,
    504,
    511,
  ),
  fc.integer({ min: 100, max: 999 }),
);

const locations = fc.constantFrom(
  '',
  ' ',
  '/',
  '//',
  '?',
  '#',
  '..',
  '/v1/users/..',
  '/v1/users/.',
  '/v1/users/%',
  '/v1/users/%2e%2e',
  '/v1/users/%zz',
  '/v1/users/\u00e9',
  '/v1/users/<API_KEY>',
  'http://',
  'http://[::1',
  'http://a:b:c/',
  'http://user:pw@127.0.0.1/1',
  'blob:http://127.0.0.1/v1/users/1',
  'blob:ORIGIN/v1/users/1',
  'ORIGIN/v1/users/1',
  'ORIGIN/v1/users/1/../..',
  'javascript:alert(1)',
  'data:,x',
  'x'.repeat(5000),
  `/v1/users/${'%41'.repeat(2000)}`,
  ';'.repeat(100),
);

const anyValue = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
  fc.constantFrom('', ',', ',,,', '\t', '\u00a0'.repeat(12_000), 'x'.repeat(20_000), '"', '\u0001'),
);

export const header = fc.oneof(
  fc.record({ name: fc.constant('location'), value: fc.oneof(locations, anyValue) }),
  fc.record({
    name: fc.constant('content-type'),
    value: fc.oneof(
      fc.constantFrom('text/html', 'application/json; charset=utf-16', 'application/json;;;', '/'),
      anyValue,
    ),
  }),
  fc.record({
    name: fc.constant('content-encoding'),
    value: fc.oneof(
      fc.constantFrom(
        'gzip',
        'br',
        'deflate',
        'zstd',
        'identity',
        'gzip, gzip',
        'identity, , br',
        'a,b,c,d,e,f',
        'GZIP ',
      ),
      anyValue,
    ),
  }),
  fc.record({
    name: fc.constant('retry-after'),
    value: fc.oneof(
      fc.constantFrom(
        '0',
        '-1',
        '0.5',
        '1e9',
        'Infinity',
        'Thu, 01 Jan 1970 00:00:00 GMT',
        'tomorrow',
        '9'.repeat(400),
      ),
      anyValue,
    ),
  }),
  fc.record({
    name: fc.constant('content-length'),
    value: fc.constantFrom('0', '1', '-1', '5', '1e3', '99999', '5, 5', 'x'),
  }),
  fc.record({
    name: fc.constant('transfer-encoding'),
    value: fc.constantFrom('chunked', 'gzip, chunked', 'x'),
  }),
  fc.record({
    name: fc.constant('connection'),
    value: fc.constantFrom('close', 'keep-alive', 'upgrade', 'content-type'),
  }),
  fc.record({
    name: fc.constantFrom('www-authenticate', 'set-cookie', 'date', 'allow', '__proto__', 'x-a'),
    value: anyValue,
  }),
);

/** Responses that are not HTTP, or hardly. */
export const answerBytes = fc.oneof(
  fc.constantFrom(
    '',
    '\r\n',
    'HTTP/1.1\r\n\r\n',
    'HTTP/1.1 200\r\n\r\n',
    'HTTP/1.1 abc OK\r\n\r\n',
    'HTTP/9.9 200 OK\r\n\r\n{}',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx-trailer: y\r\n\r\n',
    'HTTP/1.1 200 OK\r\nx y: z\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x',
    'HTTP/1.1 201 Created\r\nlocation: /v1/users/1\r\nlocation: /v1/users/2\r\n\r\n',
    `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(5000)}\r\n{}`,
    '<html>',
    '{"data":[],"total":0}',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
);

/** Identifiers that a service may use, before they are percent-encoded. */
export const identifier = fc.oneof(
  fc.string({ unit: anyLetter, minLength: 1, maxLength: 12 }),
  fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
  fc.constantFrom(
    'a/b',
    '%',
    '%41',
    '.',
    '..',
    ' ',
    'x'.repeat(1500),
    '-1',
    '0',
    '<b>',
    '\ud800',
    'http://x.test/users/1',
    '@',
    ':',
    '+',
  ),
);
