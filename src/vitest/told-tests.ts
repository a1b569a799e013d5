import { isMainThread } from 'node:worker_threads';
import { afterAll, inject } from 'vitest';
import { Awaited } from './awaited.ts';
import type { FromTests, ToTests } from './messages.ts';
import { registerTests } from './register.ts';
import type { TestResult } from './test-result.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The channel on which the Conductor tells what comes of the run. */
    channel: string;
  }
}

/** Registers the requirements as Vitest's tests, and gives them the results of the run that the Conductor carries out. */
export async function registerTold(): Promise<void> {
  // In a process of their own the tests would wait for ever: the channel ends with this one.
  if (isMainThread) throw new Error("The specs run in a thread: leave Vitest's option pool as it is.");
  const channel = new BroadcastChannel(inject('channel'));
  const ask = (what: FromTests) => channel.postMessage(what);
  const results = new Awaited<TestResult>();
  const kinds = new Awaited<ToTests>();
  channel.onmessage = ({ data }) => {
    const told = data as ToTests;
    kinds.give(told.kind, told);
    if (told.kind === 'result') results.give(told.slug, told.result);
  };
  const broken = kinds.of('broken').then((told) => {
    throw new Error((told as Extract<ToTests, { kind: 'broken' }>).message);
  });
  broken.catch(() => {});
  ask('requirements');
  const told = await Promise.race([kinds.of('requirements'), broken]);
  const { requirements, leftOut } = told as Extract<ToTests, { kind: 'requirements' }>;
  let hasAsked = false;
  registerTests(requirements, {
    isLeftOut: (slug) => leftOut.includes(slug),
    resultOf: ({ slug }) => {
      if (!hasAsked) ask('results');
      hasAsked = true;
      return Promise.race([results.of(slug), broken]);
    },
  });
  afterAll(async () => {
    // The reports are written as soon as the tests are over.
    if (hasAsked) await Promise.race([kinds.of('ended'), broken.catch(() => {})]);
    channel.close();
  });
}
