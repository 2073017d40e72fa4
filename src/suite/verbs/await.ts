import { cursorText } from '../yaml/document.ts';
import { omitUndefined } from '../../lib/json.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import type { Moment } from '../../model/suite.ts';
import { reportAt } from '../context.ts';
import { anyText, checked, described, type ReadContext, word } from '../grammar/grammar.ts';
import { momentShape, kebabName } from '../grammar/common-shapes.ts';
import {
  type ActDescription,
  type AnyAct,
  defineVerb,
  describeName,
  checkReference,
  checkRequest,
  ofShape,
} from './verb.ts';

const awaitedKinds = ['callback', 'events', 'canary'] as const;

export interface Await {
  readonly what: (typeof awaitedKinds)[number];
  readonly of?: string;
  readonly until?: Moment;
  /** For events: SP and subscriber, if not the case's own. */
  readonly client?: string;
  readonly subscriber?: string;
  /** For events: kind to wait for; default: any. */
  readonly event?: string;
}

const awaitWords: Readonly<Record<Await['what'], string>> = {
  callback: 'callbacks are awaited',
  events: 'events are awaited',
  canary: 'requests to the canary URL, to which no request should come, are awaited',
};

const eventName = (kinds: readonly string[]) =>
  checked(anyText(), (kind, cursor, { report }: ReadContext) => {
    if (kinds.includes(kind)) return;
    const hint = suggestKnown(kind, kinds);
    reportAt(cursor, { report }, { code: 'unknown-name', message: `there is no event "${kind}"`, hint });
  });

const awaitKeys = (eventKinds: readonly string[]) => ({
  until: described(momentShape, 'How long an await waits; 30 s unless said.'),
  of: ofShape,
  client: kebabName('With await events: the SP they are for.', 'second'),
  subscriber: kebabName('With await events: the subscriber they are about, by tag.', 'second'),
  event: described(eventName(eventKinds), 'With await events: the kind of event; any unless said.'),
});

const awaitRequirements = ({ what, client, subscriber }: Await): readonly string[] => [
  ...(what === 'events' ? ['events', 'event-endpoint'] : []),
  ...(client === undefined ? [] : [`client:${client}`]),
  ...(subscriber === undefined ? [] : [`subscriber:${subscriber}`]),
];

const describeAwait = ({ what, of, until, client, subscriber, event }: Await): ActDescription => ({
  act: `${awaitWords[what]}${of === undefined ? '' : ` (of step ${of})`} ${until === undefined ? 'for 30 s' : `until ${until.source}`}`,
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
    value: word(awaitedKinds),
    keys: awaitKeys(eventKinds),
    sends: false,
    outcomes: ['completed', 'failed', 'result', 'no-tokens', 'no-error', 'silence', 'delivered'],
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
      ...omitUndefined({ of: of === undefined ? undefined : cursorText(of), ...others }),
    }),
    check: ({ place, keys: { of } }, { what }, context) => {
      if (what === 'callback') checkRequest(of, place, context);
      else checkReference(of, context);
    },
    requires: awaitRequirements,
    describe: describeAwait,
  });

export const isAwait = (act: AnyAct): act is AnyAct & Await => act.verb === 'await';
