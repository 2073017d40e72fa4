import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { claimOf, hasWord, wordsOf } from './claims-of.ts';

interface Approved {
  readonly difference: JsonObject;
  /** Access tokens show the key that they are bound to. */
  readonly binding?: boolean;
}

const idTokenEntry = (scopes: readonly string[]): JsonObject =>
  scopes.includes('openid')
    ? {
        rule: 'CB-017',
        body: { type: 'object', required: ['id_token'], properties: { id_token: { type: 'string', minLength: 1 } } },
      }
    : { rule: 'CB-018', absent: ['body.id_token'] };

function bindingEntry(difference: JsonObject): JsonObject {
  return isJsonObject(claimOf(difference, 'referred_binding'))
    ? { rule: 'REQ-084', check: 'bound-to-referred-key' }
    : { rule: 'REQ-085', check: 'bound-to-signing-key' };
}

/** What an id token says of the authentication that was asked for (§2.3 prompt, acr_values). */
function authenticationEntries(difference: JsonObject): readonly JsonObject[] {
  const acr = claimOf(difference, 'acr_values');
  const prompt = wordsOf(claimOf(difference, 'prompt'), '');
  return [
    ...(prompt.includes('login') ? [{ rule: 'REQ-045', check: 'auth-time-is-of-the-request' }] : []),
    ...(acr === 'a1' || acr === 'a3'
      ? [{ rule: acr === 'a1' ? 'REQ-056' : 'REQ-057', equals: { 'idToken.acr': acr } }]
      : []),
  ];
}

/** §2.6: what a callback holds whose request was approved. Invariants judge the rest of it. */
export function completedEntries({ difference, binding = false }: Approved): readonly JsonObject[] {
  const scopes = wordsOf(claimOf(difference, 'scope'), 'openid name');
  const named = scopes.filter((one) => one !== 'openid' && one !== 'offline_access');
  const granted = { type: 'object', properties: { scope: { type: 'string', allOf: named.map(hasWord) } } };
  return [
    { outcome: 'completed', rule: 'FLOW-002' },
    idTokenEntry(scopes),
    ...(binding ? [bindingEntry(difference)] : []),
    ...(named.length === 0 ? [] : [{ rule: 'CB-012', body: granted }]),
    ...(scopes.includes('openid') ? authenticationEntries(difference) : []),
  ];
}
