import { verifyJws } from '../jose/jws.ts';
import { asText, isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { type ClientContext, type KeyContext, reader } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';
import { type Client, importPublicJwk, type RegisteredKey } from '../state/accounts.ts';
import { all, defineFault, type Edit, without, withPipeline } from './edit/define.ts';
import { failing500, findingKeys } from './edit/looser.ts';

const minutes = 60_000;

/** On where keys come from, and how long they stay (SEC-06, SEC-07, SEC-13). */
export const keyFaults = [
  defineFault({
    name: 'jku-fetched',
    says: 'The key set that jku names is fetched, and its keys are believed.',
    breaks: ['SEC-06'],
    apply: fetchingKeys(({ jku }) => jku),
  }),
  defineFault({
    name: 'x5u-fetched',
    says: 'The certificate that x5u names is fetched before anything is checked.',
    breaks: ['SEC-06'],
    apply: fetchingKeys(({ x5u }) => x5u),
  }),
  defineFault({
    name: 'kid-url-fetched',
    says: 'A kid that is a URL is fetched, as keys of a partner once were.',
    breaks: ['SEC-06'],
    apply: fetchingKeys(({ kid }) => kid),
  }),
  defineFault({
    name: 'kid-in-a-query',
    says: 'kid stands in a database query as it came, so a quotation mark ends in an internal error.',
    breaks: ['TRN-015', 'SEC-07'],
    apply: failing500(({ header }) => typeof header['kid'] === 'string' && header['kid'].includes("'")),
  }),
  defineFault({
    name: 'kid-taken-for-text',
    says: 'A kid that is no text ends in an internal error.',
    breaks: ['TRN-015', 'SEC-07'],
    apply: failing500(({ header }) => 'kid' in header && typeof header['kid'] !== 'string'),
  }),
  defineFault({
    name: 'kid-too-long-for-its-column',
    says: 'A kid of more than 255 characters ends in an internal error.',
    breaks: ['TRN-015', 'SEC-07'],
    apply: failing500(({ header }) => asText(header['kid']).length > 255),
  }),
  defineFault({
    name: 'kid-looked-up-in-an-object',
    says: 'Keys are members of an object, so a kid that every object has ends in an internal error.',
    breaks: ['TRN-015', 'SEC-07'],
    apply: failing500(({ header }) => typeof header['kid'] === 'string' && header['kid'] in {}),
  }),
  defineFault({
    name: 'kid-with-line-break-in-the-log',
    says: 'A kid with control characters cannot be written to the log, which ends in an internal error.',
    breaks: ['TRN-015', 'SEC-07'],
    apply: failing500(({ header }) => /\p{Cc}/u.test(asText(header['kid']))),
  }),
  defineFault({
    name: 'key-found-by-kid-alone',
    says: 'kid is looked up among the keys of all clients.',
    breaks: ['HDR-008', 'SEC-12'],
    apply: findingKeys(({ accounts, header }) => {
      const keys = [...accounts.clients.values()].flatMap((client) => [...client.keys.values()]);
      return keys.find(({ kid }) => kid === header['kid']);
    }),
  }),
  defineFault({
    name: 'removed-key-still-verifies',
    says: 'A key that was removed in the portal goes on verifying.',
    breaks: ['SEC-13'],
    apply: findingKeys(({ client, header }) => client.allKeys.get(asText(header['kid']))),
  }),
  defineFault({
    name: 'keys-cached-10-minutes',
    says: 'Keys are kept in memory for 10 minutes after their last use.',
    breaks: ['SEC-13'],
    apply: (definition) => {
      const seen = new Map<string, { key: RegisteredKey; at: number }>();
      return findingKeys(({ client, header, now }) => {
        const name = cacheKey(client, header);
        const key = client.keys.get(asText(header['kid']));
        if (key !== undefined) seen.set(name, { key, at: now });
        const kept = seen.get(name);
        return kept !== undefined && now - kept.at <= 10 * minutes ? kept.key : undefined;
      })(definition);
    },
  }),
  defineFault({
    name: 'missing-key-remembered',
    says: 'A kid that was not found once is not looked for again.',
    breaks: ['SEC-13'],
    apply: (definition) => {
      const missing = new Set<string>();
      return findingKeys(({ client, header }) => {
        const { kid } = header;
        if (typeof kid !== 'string') return undefined;
        const name = cacheKey(client, header);
        if (!client.keys.has(kid)) missing.add(name);
        return missing.has(name) ? refuse('invalid_request_object', 'kid names no registered key') : undefined;
      })(definition);
    },
  }),
] as const;

function cacheKey({ clientId }: Client, { kid }: JsonObject): string {
  return JSON.stringify([clientId, kid ?? null]);
}

/** Fetches what the header points at, and takes a key from there that verifies. */
function fetchingKeys(place: (header: JsonObject) => Json | undefined): Edit {
  return all(
    without('header-brings-no-key'),
    withPipeline(({ readKey }) => ({
      readKey: reader(readKey.name, async (context: ClientContext): Promise<KeyContext> => {
        const url = place(context.header);
        const keys = typeof url === 'string' && /^https?:/.test(url) ? await fetchKeys(url) : [];
        const key = keys.find((one) => verifyJws(context.jws, one.key, one.alg));
        return key === undefined ? readKey.read(context) : { ...context, key };
      }),
    })),
  );
}

async function fetchKeys(url: string): Promise<readonly RegisteredKey[]> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'error' });
    const set: unknown = await answer.json();
    const list = isJsonObject(set) ? set['keys'] : undefined;
    return list !== undefined && isJsonList(list) ? list.flatMap(asKey) : [];
  } catch {
    return [];
  }
}

function asKey(jwk: Json): RegisteredKey[] {
  const usable = importPublicJwk(jwk);
  return usable === undefined ? [] : [{ kid: 'fetched', ...usable }];
}
