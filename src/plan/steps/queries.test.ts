import { expect, test } from 'vitest';
import { exchange, unanswered } from '../../../tests/made-evidence.ts';
import type { Client } from '../../http/client.ts';
import { answerOf, type Exchange } from '../../http/exchange.ts';
import { Context } from '../context.ts';
import { Missing } from '../evidence.ts';
import { queries } from './queries.ts';

/** A run whose client is a list of answers. */
function answering(...answers: Exchange[]) {
  const paths: string[] = [];
  const send = async ({ path }: { path: string }) => {
    paths.push(path);
    const next = answers.shift() as Exchange;
    return answerOf(next, { status: next.response?.status ?? 0, json: undefined, text: '' });
  };
  const client = { send, basePath: '/v1', record: [] } as unknown as Client;
  const settings = { readOnly: false, settleMs: 0, emailDomain: 'example.com' };
  return { run: new Context(client, 'http://127.0.0.1/v1', settings), paths };
}

const one = { what: 'a page', query: '?page=2' };

test('a list by query is a bad request, and yields its exchange', async () => {
  const refused = exchange({ status: 400 });
  const { run, paths } = answering(refused);
  expect(await queries.each(run, one, {} as never)).toBe(refused);
  expect(paths).toEqual(['/v1/users?page=2']);
  expect(run.bad.has(refused.id)).toBe(true);
});

test('without an answer it is missing, with the exchange that shows it', async () => {
  const lost = unanswered('connection refused');
  const { run } = answering(lost);
  const found = queries.each(run, one, {} as never);
  await expect(found).rejects.toBeInstanceOf(Missing);
  await expect(found).rejects.toMatchObject({ exchanges: [lost] });
});
