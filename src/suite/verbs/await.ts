import { defined } from '../../lib/optional.ts';
import type { Moment } from '../../model/template.ts';
import { described, word } from '../grammar/grammar.ts';
import { moment, name } from '../grammar/shared.ts';
import { text } from '../yaml/cursor.ts';
import { type AnyAct, defineVerb, describeName } from './define.ts';
import { checkReference, checkRequest, ofKey } from './references.ts';

const kinds = ['callback', 'events', 'canary'] as const;

export interface Await {
  readonly what: (typeof kinds)[number];
  readonly of?: string;
  readonly until?: Moment;
  /** Of events: the SP and the subscriber they are for, where not the case's own. */
  readonly client?: string;
  readonly subscriber?: string;
}

const awaited: Readonly<Record<Await['what'], string>> = {
  callback: 'callbacks are awaited',
  events: 'events are awaited',
  canary: 'requests to the canary URL, to which no request should come, are awaited',
};

/** Waits for deliveries that no earlier await took. */
export const awaitDeliveries = defineVerb({
  verb: 'await',
  description: 'Wait for deliveries that no earlier await took.',
  value: word(kinds),
  keys: {
    until: described(moment, 'How long an await waits; 30 s unless said.'),
    of: ofKey,
    client: name('With await events: the SP they are for.', 'second'),
    subscriber: name('With await events: the subscriber they are about, by tag.', 'second'),
  },
  outcomes: ['completed', 'failed', 'no-tokens', 'no-error', 'silence', 'delivered'],
  expectations: ['idToken', 'count', 'spacing', 'echo', 'error', 'set', 'setHeader'],
  members: ['body', 'headers', 'idToken', 'set', 'setHeader', 'summary', 'count', 'deliveries', 'sentAt', 'receivedAt'],
  compile: ({ value, keys: { of, until, client, subscriber } }): Await => ({
    what: value,
    ...defined({
      of: of === undefined ? undefined : text(of),
      until,
      client,
      subscriber,
    }),
  }),
  check: ({ place, keys: { of } }, { what }, context) => {
    if (what === 'callback') checkRequest(of, place, context);
    else checkReference(of, context);
  },
  requires: ({ what, client, subscriber }) => [
    ...(what === 'events' ? ['events', 'event-endpoint'] : []),
    ...(client === undefined ? [] : [`client:${client}`]),
    ...(subscriber === undefined ? [] : [`subscriber:${subscriber}`]),
  ],
  describe: ({ what, of, until, client, subscriber }) => ({
    act: `${awaited[what]}${of === undefined ? '' : ` (of step ${of})`} ${until === undefined ? 'for 30 s' : `until ${until.source}`}`,
    details: [...describeName('for the client', client), ...describeName('about the subscriber', subscriber)],
  }),
});

export const isAwait = (act: AnyAct): act is AnyAct & Await => act.verb === 'await';
