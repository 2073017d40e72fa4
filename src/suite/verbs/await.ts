import { text } from '../yaml/document.ts';
import { defined } from '../../lib/json.ts';
import { suggestion } from '../../lib/suggest.ts';
import type { Moment } from '../../model/suite.ts';
import { reportAt } from '../compile/context.ts';
import { anyText, checked, described, type ReadContext, word } from '../grammar/grammar.ts';
import { moment, name } from '../grammar/shared.ts';
import {
  type ActDescription,
  type AnyAct,
  defineVerb,
  describeName,
  checkReference,
  checkRequest,
  ofKey,
} from './define.ts';

const kinds = ['callback', 'events', 'canary'] as const;

export interface Await {
  readonly what: (typeof kinds)[number];
  readonly of?: string;
  readonly until?: Moment;
  /** For events: SP and subscriber, if not the case's own. */
  readonly client?: string;
  readonly subscriber?: string;
  /** For events: kind to wait for; default: any. */
  readonly event?: string;
}

const awaited: Readonly<Record<Await['what'], string>> = {
  callback: 'callbacks are awaited',
  events: 'events are awaited',
  canary: 'requests to the canary URL, to which no request should come, are awaited',
};

const eventName = (kinds: readonly string[]) =>
  checked(anyText(), (kind, cursor, { report }: ReadContext) => {
    if (kinds.includes(kind)) return;
    const hint = suggestion(kind, kinds);
    reportAt(cursor, { report }, { code: 'unknown-name', message: `there is no event "${kind}"`, hint });
  });

const awaitKeys = (eventKinds: readonly string[]) => ({
  until: described(moment, 'How long an await waits; 30 s unless said.'),
  of: ofKey,
  client: name('With await events: the SP they are for.', 'second'),
  subscriber: name('With await events: the subscriber they are about, by tag.', 'second'),
  event: described(eventName(eventKinds), 'With await events: the kind of event; any unless said.'),
});

const awaitRequirements = ({ what, client, subscriber }: Await): readonly string[] => [
  ...(what === 'events' ? ['events', 'event-endpoint'] : []),
  ...(client === undefined ? [] : [`client:${client}`]),
  ...(subscriber === undefined ? [] : [`subscriber:${subscriber}`]),
];

const describeAwait = ({ what, of, until, client, subscriber, event }: Await): ActDescription => ({
  act: `${awaited[what]}${of === undefined ? '' : ` (of step ${of})`} ${until === undefined ? 'for 30 s' : `until ${until.source}`}`,
  details: [
    ...describeName('of the kind', event),
    ...describeName('for the client', client),
    ...describeName('about the subscriber', subscriber),
  ],
});

/** Verb that waits for deliveries no earlier await took. It may name one of the interface's event kinds. */
export const defineAwait = (eventKinds: readonly string[]) =>
  defineVerb({
    verb: 'await',
    description: 'Wait for deliveries that no earlier await took.',
    value: word(kinds),
    keys: awaitKeys(eventKinds),
    sends: false,
    outcomes: ['completed', 'failed', 'no-tokens', 'no-error', 'silence', 'delivered'],
    expectations: ['idToken', 'count', 'spacing', 'echo', 'error', 'set', 'setHeader'],
    members: [
      'body',
      'headers',
      'idToken',
      'set',
      'setHeader',
      'summary',
      'count',
      'deliveries',
      'sentAt',
      'receivedAt',
    ],
    compile: ({ value, keys: { of, ...others } }): Await => ({
      what: value,
      ...defined({ of: of === undefined ? undefined : text(of), ...others }),
    }),
    check: ({ place, keys: { of } }, { what }, context) => {
      if (what === 'callback') checkRequest(of, place, context);
      else checkReference(of, context);
    },
    requires: awaitRequirements,
    describe: describeAwait,
  });

export const isAwait = (act: AnyAct): act is AnyAct & Await => act.verb === 'await';
