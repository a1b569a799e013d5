import { expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';

const running = { ended: () => undefined, restart: async () => {} };

test('where a stranger takes requests at the end, nothing is said of the service', async () => {
  const target = await startHere();
  const stranger = async () => 'nginx (pid 42) listens there';
  const { slugs, told } = await judgeKept(target, {}, { service: { ...running, stranger } }).finally(target.close);
  expect([...slugs('passed'), ...slugs('failed')]).toEqual([]);
  expect(told('not-verified')).toContain('create.location: at the end of the run nginx (pid 42) listens there');
});
