import {
  comparisonCase,
  defineRunCheck,
  type NamedCheck,
  mismatchPlace,
  type RunMessage,
  type RunMismatch,
} from '../../../../judge/check.ts';
import { readTextMember } from '../../../../lib/json.ts';

interface ClientSub extends Pick<RunMismatch, 'message' | 'seenIn'> {
  readonly client: string;
  readonly sub: string;
}

/** Length of a run of characters that two random ids do not share. */
const maxSharedRun = 10;

const withoutCarrierCode = (sub: string): string => sub.replace(/^\d{5,6}-/, '');

/** Characters at an end of a run: if another person's sub has them, the run is little more than the form of subs. */
const formEndLength = 6;

/** Whether two subs share a run of characters that no other person's sub has at either end. */
function sharesRun(a: string, b: string, others: readonly string[]): boolean {
  if (others.length === 0) return a === b;
  for (let from = 0; from + maxSharedRun <= a.length; from += 1) {
    const run = a.slice(from, from + maxSharedRun);
    const ends = [run.slice(0, formEndLength), run.slice(-formEndLength)];
    if (b.includes(run) && !others.some((other) => ends.some((end) => other.includes(end)))) return true;
  }
  return a === b;
}

/** Sub in a message to a client: in an id token, or in an event token. */
function findClientSub(message: RunMessage): ClientSub | undefined {
  const [client, claims] =
    'callback' in message
      ? [message.callback.sent.client, message.callback.idToken]
      : 'event' in message
        ? [message.event.client, message.event.set]
        : [];
  const sub = readTextMember(claims, 'sub');
  return client === undefined || sub === undefined ? undefined : { client, sub, ...mismatchPlace(message) };
}

/** Pairwise identifiers (OIDC Core §8.1). */
export const subChecks: readonly NamedCheck[] = [
  /** OIDC Core §8.1: subs of main and of second, which belong to different sectors, have nothing in common. */
  defineRunCheck('subs-not-correlated', () => {
    const known = new Map<string, ClientSub>();
    return {
      observe: (message) => {
        const found = findClientSub(message);
        const id = `${found?.client} ${found?.sub}`;
        if (found !== undefined && !known.has(id)) known.set(id, found);
      },
      conclude: () => {
        const of = (name: string): ClientSub[] => [...known.values()].filter(({ client }) => client === name);
        const pairs = of('main').flatMap((one) => of('second').map((other) => [one, other] as const));
        // The other subs of both clients belong to other persons.
        const othersOf = (...pair: readonly ClientSub[]): readonly string[] =>
          [...of('main'), ...of('second')].filter((one) => !pair.includes(one)).map(({ sub }) => sub);
        const mismatches = pairs.flatMap(([one, other]): RunMismatch[] => {
          const { sub: actual, message, seenIn } = other;
          if (!sharesRun(withoutCarrierCode(one.sub), withoutCarrierCode(actual), othersOf(one, other))) return [];
          return [
            {
              message,
              seenIn,
              expected: `nothing in common with ${one.sub}, the sub for main`,
              actual,
              ...comparisonCase(one, other),
            },
          ];
        });
        return { mismatches, judged: pairs.length };
      },
    };
  }),
];
