import {
  defineRunCheck,
  type NamedCheck,
  placeOf,
  type RunMessage,
  type RunMismatch,
} from '../../../../judge/check.ts';
import { textMemberOf } from '../../../../lib/json.ts';

interface Sub extends Pick<RunMismatch, 'message' | 'seenIn'> {
  readonly client: string;
  readonly sub: string;
}

/** Characters in a row that two random ids do not share. */
const mostShared = 10;

const withoutCarrierCode = (sub: string): string => sub.replace(/^\d{5,6}-/, '');

function sharesRun(a: string, b: string): boolean {
  for (let from = 0; from + mostShared <= a.length; from += 1) {
    if (b.includes(a.slice(from, from + mostShared))) return true;
  }
  return a === b;
}

/** The sub of a person that a message tells a client: an id token, or an event token. */
function subIn(message: RunMessage): Sub | undefined {
  const [client, claims] =
    'callback' in message
      ? [message.callback.sent.client, message.callback.idToken]
      : 'event' in message
        ? [message.event.client, message.event.set]
        : [];
  const sub = textMemberOf(claims, 'sub');
  return client === undefined || sub === undefined ? undefined : { client, sub, ...placeOf(message) };
}

/** Pairwise identifiers (OIDC Core §8.1). */
export const subChecks: readonly NamedCheck[] = [
  /** OIDC Core §8.1: subs of main and of second, which belong to different sectors, have nothing in common. */
  defineRunCheck('subs-not-correlated', () => {
    const known = new Map<string, Sub>();
    return {
      observe: (message) => {
        const found = subIn(message);
        const id = `${found?.client} ${found?.sub}`;
        if (found !== undefined && !known.has(id)) known.set(id, found);
      },
      conclude: () => {
        const of = (name: string): Sub[] => [...known.values()].filter(({ client }) => client === name);
        const pairs = of('main').flatMap((one) => of('second').map((other) => [one, other] as const));
        const mismatches = pairs.flatMap(([one, { sub: actual, message, seenIn }]): RunMismatch[] => {
          if (!sharesRun(withoutCarrierCode(one.sub), withoutCarrierCode(actual))) return [];
          return [{ message, seenIn, expected: `nothing in common with ${one.sub}, the sub for main`, actual }];
        });
        return { mismatches, judged: pairs.length };
      },
    };
  }),
];
