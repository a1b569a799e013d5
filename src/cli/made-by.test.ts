import { expect, test } from 'vitest';
import { commandLine } from '../reports/next-command.ts';
import { makeRerunCommand } from './made-by.ts';

const START = "PORT=1 npm start -- 'a b'";

test('settings stay flags or variables, as the user gave them', () => {
  const flagValues = {
    BASE_URL: 'http://127.0.0.1:3000/v1',
    CONFORMANCE_START: START,
    CONFORMANCE_REPORT_DIR: 'my reports',
    CONFORMANCE_STRICT: '1',
  };
  const command = makeRerunCommand(flagValues, { CONFORMANCE_SKIP: 'a.b c.d' });
  expect(command.needs).toEqual([]);
  expect(commandLine(command, { only: 'list.shape' })).toBe(
    "CONFORMANCE_SKIP='a.b c.d' npm run conformance -- --base-url http://127.0.0.1:3000/v1 " +
      `--start 'PORT=1 npm start -- '\\''a b'\\''' --strict --report-dir 'my reports' ` +
      '--only list.shape',
  );
});

test('secrets are named without their values; flags win over variables', () => {
  const flagValues = { CONFORMANCE_HEADERS: 'X-Gate: secret', CONFORMANCE_ONLY: 'a.*' };
  const secrets = { API_KEY: 'secret', CONFORMANCE_START: 'KEY=secret npm start' };
  const variables = { BASE_URL: 'http://a.example/v1', CONFORMANCE_ONLY: 'b.*', HOME: '/secret' };
  const command = makeRerunCommand(flagValues, { ...secrets, ...variables });
  expect(command.needs.sort()).toEqual(['API_KEY', 'CONFORMANCE_HEADERS', 'CONFORMANCE_START']);
  const line = commandLine(command, { only: 'list.shape', repeat: '10' });
  expect(line).toBe(
    'BASE_URL=http://a.example/v1 npm run conformance -- --only list.shape --repeat 10',
  );
});
