import type { Run } from '../plan/run.ts';

/** What a run counts and observes, for the reports. */
export type Tally = ReturnType<typeof tallyOf>;

/** A user that a run has created, or may have: no identifier was found then. */
export type CreatedUser = ReturnType<typeof createdBy>[number];

/** Who was created, by what is known of them. */
export function createdBy({ ledger, client }: Run) {
  return ledger.creations.flatMap(({ answered, exchange, identifier, user }) => {
    if (exchange === undefined || answered === 'refused') return [];
    const found = identifier && { identifier: client.secrets.redact(identifier.text) };
    return [{ ...found, email: client.secrets.redact(`${user.email}`) }];
  });
}

/** Counts what a run has sent. */
export function tallyOf({ client, factory, ledger, observations }: Run) {
  const inHeader = client.record.some(({ response }) => response?.keyInHeader);
  if (inHeader) observations.set('key in a response', new Set(['in a header']));
  if (client.pace.whyFew) observations.set('requests at once', new Set([`few: ${client.pace.whyFew}`]));
  const observed = [...observations].map(([name, values]) => [name, [...values].sort()] as const);
  return {
    tag: factory.tag,
    /** When the run began: milliseconds since 1970. */
    start: client.started.getTime(),
    requests: client.requestsSent,
    usersCreated: ledger.creations.filter(({ answered, exchange }) => exchange && answered === 'created').length,
    /** What the service has chosen where the interface leaves it open: a name, and the values seen. */
    observations: Object.fromEntries(observed.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
