import { expect, test } from 'vitest';
import { answering, shows, take } from '../../../tests/answering.ts';
import { exchange, firstTwo } from '../../../tests/made-evidence.ts';
import { locations } from './locations.ts';

test('a Location elsewhere is followed, and leads to the user or not', async () => {
  const { run, sent, known } = answering(shows('7'), [404]);
  const [first, second] = [known('7'), known('8')];
  for (const { creation } of [first, second])
    creation.exchange = exchange({ status: 201, response: { headers: [['location', '/v1/people/1']] } });
  const found = await take(locations, run, { users: firstTwo(first, second) });
  expect(found.map(({ leadsToUser }) => leadsToUser)).toEqual([true, false]);
  expect(sent).toEqual(['GET /v1/people/1', 'GET /v1/people/1']);
});

test('without one nothing is sent', async () => {
  const { run, sent, known } = answering();
  const found = await take(locations, run, { users: firstTwo(known('7'), known('8')) });
  expect(found).toMatchObject([{ location: undefined }, { location: undefined }]);
  expect(sent).toEqual([]);
});
