import { isJsonObject } from '../../../../model/json.ts';
import { defineRunCheck, type RunMessage, type RunMismatch } from '../../../../judge/check.ts';

interface Sub {
  readonly client: string;
  readonly sub: string;
  readonly message: string;
  readonly seenIn: string;
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => isJsonObject(value);

/** A message that tells a client the sub of a person: an id token, or an event token. */
function subIn(message: RunMessage): Sub | undefined {
  const { seenIn } = message;
  if ('callback' in message) {
    const { idToken, sent, message: id } = message.callback;
    const sub = idToken?.['sub'];
    return typeof sub === 'string' && sent.client !== undefined
      ? { client: sent.client, sub, message: id, seenIn }
      : undefined;
  }
  const event: unknown = 'event' in message ? message.event : undefined;
  if (!isObject(event) || !isObject(event['set'])) return undefined;
  const { client, message: id } = event;
  const { sub } = event['set'];
  if (typeof client !== 'string' || typeof sub !== 'string' || typeof id !== 'string') return undefined;
  return { client, sub, message: id, seenIn };
}

/** OIDC Core §8.1: subs of main and of second, which belong to different sectors, have nothing in common. */
export const subsNotCorrelated = defineRunCheck(() => {
  const known = new Map<string, Sub>();
  return {
    observe: (message) => {
      const found = subIn(message);
      if (found !== undefined && !known.has(`${found.client} ${found.sub}`))
        known.set(`${found.client} ${found.sub}`, found);
    },
    conclude: () => {
      const of = (name: string): Sub[] => [...known.values()].filter(({ client }) => client === name);
      const pairs = of('main').flatMap((one) => of('second').map((other) => [one, other] as const));
      const mismatches = pairs.flatMap(([one, other]): RunMismatch[] => {
        if (!sharesRun(withoutCarrierCode(one.sub), withoutCarrierCode(other.sub))) return [];
        const { message, seenIn } = other;
        return [
          { message, seenIn, expected: `nothing in common with ${one.sub}, the sub for main`, actual: other.sub },
        ];
      });
      return { mismatches, judged: pairs.length };
    },
  };
});
