import { type CheckMismatch, defineCheck, type NamedCheck } from '../../../judge/check.ts';
import type { Judgeable, ResponseObservation } from '../../../judge/observation.ts';
import { type Json, readMember, type JsonObject, equalsJson } from '../../../lib/json.ts';
import { isBoundTo } from './key-binding.ts';
import { listCallbacks, splitWords } from './define-check.ts';

/** Parts of a message, or of a look at the phone, that show a request's values. */
interface VisibleValues {
  readonly body?: Json | undefined;
  readonly idToken?: JsonObject | undefined;
  readonly card?: Json | undefined;
  readonly target?: string | undefined;
  readonly authorization?: string | undefined;
  readonly granted?: number | undefined;
}

/** Place that shows a claim: its path in a finding, and the effect of the value from outside, if any. */
interface OutsideEffect {
  readonly path: string;
  readonly found: (shown: VisibleValues, outside: Json, claims: JsonObject) => Json | undefined;
}

const memberEffect =
  (part: 'body' | 'idToken' | 'card', name: string): OutsideEffect['found'] =>
  (shown, outside) => {
    const value = readMember(shown[part], name);
    return equalsJson(value, outside) ? value : undefined;
  };

/** Words of a list that only the value from outside has. */
const wordsOnlyOutside = (name: string, outside: Json, claims: JsonObject): readonly string[] => {
  const inside = splitWords(claims[name]);
  return splitWords(outside).filter((word) => !inside.includes(word));
};

const openedUriEffect =
  (isFromOutside: (uri: string, outside: Json, claims: JsonObject) => boolean): OutsideEffect['found'] =>
  ({ card }, outside, claims) => {
    const uri = readMember(card, 'openedUri');
    return typeof uri === 'string' && isFromOutside(uri, outside, claims) ? uri : undefined;
  };

/** §2.1, claim by claim: the places that would show a value from outside if it took the claim's place. */
const claimEffects: Readonly<Record<string, readonly OutsideEffect[]>> = {
  state: [{ path: 'body.state', found: memberEffect('body', 'state') }],
  correlation_id: [{ path: 'body.correlation_id', found: memberEffect('body', 'correlation_id') }],
  nonce: [{ path: 'idToken.nonce', found: memberEffect('idToken', 'nonce') }],
  scope: [
    {
      path: 'body.scope',
      found: ({ body }, outside, claims) => {
        const approved = splitWords(readMember(body, 'scope'));
        return wordsOnlyOutside('scope', outside, claims).find((word) => approved.includes(word));
      },
    },
  ],
  notification_uri: [
    {
      path: 'target',
      found: ({ target }, outside) =>
        target !== undefined && typeof outside === 'string' && outside.endsWith(target) ? target : undefined,
    },
  ],
  client_notification_token: [
    {
      path: 'headers.authorization',
      found: ({ authorization }, outside) =>
        typeof outside === 'string' && authorization?.endsWith(outside) === true ? 'the one from outside' : undefined,
    },
  ],
  expires_in: [
    {
      path: 'body.expires_in',
      found: ({ granted }, outside) => (granted !== undefined && granted === Number(outside) ? granted : undefined),
    },
  ],
  login_hint: [{ path: 'idToken.sub', found: memberEffect('idToken', 'sub') }],
  context: [
    { path: 'card.context', found: memberEffect('card', 'context') },
    { path: 'idToken.context', found: memberEffect('idToken', 'context') },
  ],
  referred_binding: [
    {
      path: 'access_token.cnf',
      found: (shown, outside) => (isBoundTo(shown, outside) ? 'the key from outside' : undefined),
    },
  ],
  acr_values: [
    { path: 'idToken.acr', found: memberEffect('idToken', 'acr') },
    {
      path: 'card.authentication',
      found: ({ card }, outside) =>
        outside === 'a1' && readMember(card, 'authentication') === 'none' ? 'none' : undefined,
    },
  ],
  options: [
    {
      path: 'card.colourMode',
      found: ({ card }, outside, claims) => {
        const mode = readMember(card, 'colourMode');
        return wordsOnlyOutside('options', outside, claims).find((word) => word === mode);
      },
    },
    {
      path: 'card.openedUri',
      found: openedUriEffect((_uri, outside, claims) =>
        wordsOnlyOutside('options', outside, claims).includes('local_redirect'),
      ),
    },
  ],
  redirect_uri: [
    {
      path: 'card.openedUri',
      found: openedUriEffect((uri, outside) => typeof outside === 'string' && uri.startsWith(outside)),
    },
  ],
};

function listVisibleValues(observation: Judgeable): readonly (readonly [VisibleValues, ResponseObservation])[] {
  if (observation.kind === 'response') return [[observation, observation]];
  if (observation.kind === 'look') return observation.sent === undefined ? [] : [[observation, observation.sent]];
  return listCallbacks(observation).map((one) => [{ ...one, authorization: one.headers['authorization'] }, one.sent]);
}

function judgeOutsideValues(
  shown: VisibleValues,
  { claims = {}, outside = {} }: ResponseObservation,
): readonly CheckMismatch[] {
  return Object.entries(outside).flatMap(([name, value]) =>
    (claimEffects[name] ?? []).flatMap(({ path, found }) => {
      const actual = equalsJson(claims[name], value) ? undefined : found(shown, value, claims);
      const expected = `what follows from the ${name} of the request object, and nothing of the unsigned one`;
      return actual === undefined ? [] : [{ path, expected, actual }];
    }),
  );
}

/** §2.1: values beside the request object, in the body or the URL, have no effect. */
export const outsideChecks: readonly NamedCheck[] = [
  defineCheck('outside-values-without-effect', (observation) =>
    listVisibleValues(observation).flatMap(([shown, sent]) => judgeOutsideValues(shown, sent)),
  ),
];
