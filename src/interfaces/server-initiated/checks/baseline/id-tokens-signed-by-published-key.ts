import type { JsonObject } from '../../../../model/json.ts';
import { isJsonObject } from '../../../../model/json.ts';
import { defineRunCheck, type RunMessage, type RunMismatch } from '../../../../judge/check.ts';
import { decodeCompactJws } from '../../../../judge/compact-jws.ts';
import { keysIn } from '../events/run-events.ts';
import { verifiesWith } from '../events/verify-jws.ts';
import { memberOf } from '../words.ts';

interface Token {
  readonly jws: string;
  readonly message: string;
  readonly seenIn: string;
}

/** What OIDC Discovery §3 makes every carrier support. */
const always = 'RS256';

const algorithmsIn = (message: RunMessage): readonly string[] => {
  const listed =
    'response' in message ? memberOf(message.response.body, 'id_token_signing_alg_values_supported') : undefined;
  return Array.isArray(listed) ? listed.filter((alg): alg is string => typeof alg === 'string') : [];
};

function wrongWith(jws: string, keys: readonly JsonObject[], advertised: ReadonlySet<string>): string | undefined {
  const header = decodeCompactJws(jws)?.header;
  const { alg = null, kid } = header ?? {};
  if (typeof alg !== 'string' || alg === 'none' || !advertised.has(alg)) return `alg ${JSON.stringify(alg)}`;
  const named = keys.filter((key) => key['kid'] === kid);
  const tried = named.length > 0 ? named : keys;
  return tried.some((key) => verifiesWith(jws, key, alg))
    ? undefined
    : `alg ${alg}, kid ${JSON.stringify(kid ?? null)}, not verified`;
}

/** OIDC Core §3.1.3.7 (6, 7): an advertised algorithm, and a key of jwks_uri. Judged by all keys that the run saw. */
export const idTokensSignedByPublishedKey = defineRunCheck(() => {
  const keys = new Map<string, JsonObject>();
  const advertised = new Set<string>([always]);
  const tokens: Token[] = [];
  return {
    observe: (message) => {
      for (const key of keysIn(message)) keys.set(JSON.stringify(key), key);
      for (const alg of algorithmsIn(message)) advertised.add(alg);
      if (!('callback' in message)) return;
      const { callback, seenIn } = message;
      const jws = isJsonObject(callback.body) ? callback.body['id_token'] : undefined;
      if (typeof jws === 'string') tokens.push({ jws, message: callback.message, seenIn });
    },
    conclude: () => {
      if (keys.size === 0) return { mismatches: [], judged: 0 };
      const mismatches = tokens.flatMap(({ jws, ...where }): RunMismatch[] => {
        const actual = wrongWith(jws, [...keys.values()], advertised);
        const expected = 'an advertised algorithm, and a signature that a key of jwks_uri verifies';
        return actual === undefined ? [] : [{ ...where, path: 'body.id_token', expected, actual }];
      });
      return { mismatches, judged: tokens.length };
    },
  };
});
