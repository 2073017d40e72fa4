import { literal } from '../../../suite/compile/suite.ts';
import { exact } from './near-misses.ts';
import type { Single } from './single.ts';
import { openContexts, rareContexts, rareIdentifiers } from './strings.ts';

/** §5.3: what a bearer credential cannot have. */
const noBearers = ['a b', 'a\n', 'a\r\nX-Evil: 1', 'a\u0000', 'é', 'a"', 'a,b', 'a;b', 'a\tb', '😀', 'a\u200b'].flatMap(
  (text) => [text, `{{ letters(22) }}${text}`, `${text}{{ letters(22) }}`],
);
/** What it can, and is easily read as more; 22 characters and more, as C1.10 lets carriers ask for. */
const oddBearers = [
  'Bearer{{ letters(22) }}',
  'bearer-{{ letters(22) }}',
  '0{{ letters(22) }}',
  '-{{ letters(22) }}',
  '.{{ letters(22) }}',
  '~{{ letters(22) }}',
  '+/{{ letters(22) }}',
  '{{ letters(22) }}==',
  'A1.b2_c3-d4~e5+f6/g7{{ fresh() }}=',
];
/** The same in short: it comes back as it was sent where it is accepted. */
const shortBearers = ['Bearer', 'null', '0', '-', '.', '~', '+/', 'a==', 'A1.b2_c3-d4~e5+f6/g7='];

const bearer = (text: string, says: string, what: Pick<Single, 'rule' | 'outcome'>): Single => ({
  title: `A client_notification_token ${JSON.stringify(text)} ${says}`,
  difference: { claims: { client_notification_token: text } },
  ...what,
});

const bearers: readonly Single[] = [
  ...noBearers.map((text) => bearer(text, 'is denied', { rule: 'SEC-29', outcome: 'denied' })),
  ...oddBearers.map((text) => bearer(text, 'comes back as bearer', { rule: 'CB-004', outcome: 'accepted' })),
  ...shortBearers.map((text) =>
    bearer(text, 'comes back as bearer, or is refused', { rule: 'TRN-015', outcome: 'answered' }),
  ),
];

const contexts: readonly Single[] = [
  ...rareContexts.map(
    (text): Single => ({
      title: `A context ${JSON.stringify(text)} is shown and signed as it was sent`,
      difference: { claims: { context: text } },
      rule: 'REQ-073',
      outcome: 'accepted',
    }),
  ),
  ...openContexts.map(
    (text): Single => ({
      title: `A context ${JSON.stringify(text)} is signed as it is shown, or refused`,
      difference: { claims: { context: literal(text) } },
      rule: 'TRN-015',
      outcome: 'answered',
      shown: true,
    }),
  ),
];

/** Texts that are easily taken for something else. */
export const textSingles = (): readonly Single[] => [
  ...bearers,
  ...contexts,
  ...rareIdentifiers.map(
    (text): Single => ({
      title: `A correlation_id ${JSON.stringify(text)} is accepted and echoed`,
      difference: { claims: { correlation_id: text } },
      rule: 'REQ-082',
      outcome: 'accepted',
    }),
  ),
];

/** A jti that is always the same is new after an hour; then its second use is refused. */
export const jtiSingles = (): readonly Single[] =>
  rareIdentifiers.map(
    (text): Single => ({
      title: `A jti ${JSON.stringify(text.slice(0, 40))} is accepted once`,
      difference: { claims: { jti: literal(text) } },
      rule: 'REQ-014',
      outcome: 'accepted',
      after: '25h',
      again: true,
    }),
  );

/** A value that is accepted, and comes back as it was sent: what it is of, and the rule that says so. */
const returned = [
  { claim: 'state', rule: 'REQ-039' },
  { claim: 'nonce', rule: 'REQ-040' },
] as const;

export const isWellFormed = (text: string): boolean => text === Buffer.from(text, 'utf8').toString('utf8');

/** Characters that no interpretation of §2.3 leaves out: a carrier may refuse controls. */
const isPlain = (text: string): boolean => text !== '' && isWellFormed(text) && !/\p{Cc}/u.test(text);

export function returnedSingles(texts: readonly string[]): readonly Single[] {
  return texts.flatMap((text) =>
    returned.map(
      ({ claim, rule }): Single => ({
        title: `${claim} comes back as it was sent: ${JSON.stringify(text.slice(0, 40))}`,
        difference: { claims: { [claim]: literal(text) } },
        rule,
        outcome: isPlain(text) ? 'accepted' : 'answered',
      }),
    ),
  );
}

/** Claims and members that nobody knows: they are ignored (§2.3, §9.5). */
export function unknownSingles(names: readonly string[]): readonly Single[] {
  const known = new Set(['', ...exact.map(({ claim }) => claim)]);
  return names
    .filter((name) => !known.has(name) && isPlain(name))
    .flatMap((name): readonly Single[] => [
      {
        title: `An unknown claim is ignored: ${JSON.stringify(name.slice(0, 40))}`,
        difference: { append: literal(`${JSON.stringify(name)}:{"acr_values":"a9","aud":"x"}`) },
        rule: 'REQ-087',
        outcome: 'accepted',
      },
      {
        title: `An unknown member beside the request object is ignored: ${JSON.stringify(name.slice(0, 40))}`,
        difference: { beside: { [name]: 'x' } },
        rule: 'REQ-088',
        outcome: 'accepted',
      },
    ]);
}

/** Names that look like known ones. */
export const almostKnown = [
  'ISS',
  'Iss',
  'aud ',
  ' exp',
  'client-id',
  'clientId',
  'Scope',
  'request_',
  'Login_Hint',
  'nonce2',
];
