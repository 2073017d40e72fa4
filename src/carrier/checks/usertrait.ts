import { createHash } from 'node:crypto';
import { parseMediaType, readJson } from '../http/request.ts';
import { importPublicJwk, parseCompactJws, verifyJws } from '../jose/jws.ts';
import { parseStrictObjectOr } from '../jose/strict-json.ts';
import { asText, type JsonObject, stringMember } from '../json.ts';
import {
  check,
  type ProofContext,
  reader,
  refuseProof,
  type TraitBody,
  type TraitClient,
  type TraitMessage,
  type TraitSubscriber,
} from '../context.ts';
import { refuse } from '../refusal.ts';
import type { RegisteredKey } from '../state/accounts.ts';

/** §4.7: JSON only, no form. */
export const traitContentTypeIsJson = check('trait-content-type-is-json', ({ contentType }: TraitMessage) => {
  if (parseMediaType(contentType) !== 'application/json') {
    refuse('invalid_request', 'the content type must be application/json', 415);
  }
});

/** §4.7: the payload is a JSON object. */
export const traitBodyIsJson = reader('trait-body-is-json', (context: TraitMessage): TraitBody => {
  return { ...context, body: readJson(context.bytes) };
});

/** §2.8 client_id: a registered client; its key signs the proof. */
export const traitClientIsRegistered = reader('trait-client-is-registered', (context: TraitBody): TraitClient => {
  const id = stringMember(context.body, 'client_id') ?? refuse('invalid_request', 'client_id is required');
  const client = context.accounts.clients.get(id);
  if (client === undefined || client.disabled) return refuseProof('client_id is not a registered client');
  return { ...context, client };
});

/** §4.7: access requires enabling through the SP portal. */
export const usertraitsAreOn = check('usertraits-are-on', ({ client }: ProofContext) => {
  if (client.flags.get('usertraits_enabled') !== true) {
    refuse('unauthorized_client', 'the client is not registered for usertraits', 403);
  }
});

/** §2.8 usertrait: the only supported value is sim_tenure. */
export const traitIsSimTenure = check('trait-is-sim-tenure', ({ body }: TraitBody) => {
  if (body['usertrait'] !== 'sim_tenure') refuse('invalid_request', 'usertrait must be sim_tenure');
});

/** §2.8 correlation_id, in the pattern of §2.3. */
export const traitCorrelationIdPattern = check('trait-correlation-id-pattern', ({ body, policy }: TraitBody) => {
  const id = body['correlation_id'];
  if (id === undefined) return;
  if (typeof id !== 'string' || !/^[A-Za-z0-9\-_]*$/.test(id) || id.length > policy.correlationIdMax) {
    refuse('invalid_request', 'correlation_id must be at most 128 letters, digits, hyphens and underscores');
  }
});

/** §2.8 sub: carrier code, dash and the rest; at most 255 characters. */
export const traitSubIsPairwise = check('trait-sub-is-pairwise', ({ body, mccmnc }: TraitBody) => {
  const { sub } = body;
  if (typeof sub !== 'string' || !sub.startsWith(`${mccmnc}-`) || sub.length > 255) {
    refuse('invalid_request', 'sub must be a subscriber id of this carrier');
  }
});

/** §2.8: the sub of this SP; any other sub gets the same refusal. */
export const traitSubIsTheClientsOwn = reader(
  'trait-sub-is-the-clients-own',
  (context: ProofContext): TraitSubscriber => {
    const found = context.accounts.findSub(stringMember(context.body, 'sub') ?? '');
    if (found?.clientName !== context.client.name) refuse('invalid_request', 'sub names no subscriber of the client');
    return { ...context, subscriber: found.subscriber };
  },
);

/** §1.6: only users with the phone app are covered. */
export const traitSubscriberHasTheApp = check('trait-subscriber-has-the-app', ({ subscriber }: TraitSubscriber) => {
  if (!subscriber.enrolled) refuse('access_denied', 'the subscriber is not covered', 403);
});

/** §1.6: the phone app is linked to the SP's app or site. */
export const traitSubscriberIsLinked = check(
  'trait-subscriber-is-linked',
  ({ subscriber, client }: TraitSubscriber) => {
    if (subscriber.unlinked.has(client.name)) refuse('access_denied', 'the subscriber is not covered', 403);
  },
);

/** §4.7, §5.4: the user's consent for the SP is verified. */
export const traitSubscriberConsented = check(
  'trait-subscriber-consented',
  ({ subscriber, client }: TraitSubscriber) => {
    const consented = subscriber.consents.get(client.name)?.has('openid') === true;
    if (!consented) refuse('access_denied', 'the subscriber is not covered', 403);
  },
);

/** §4.7 x-authorization: one compact JWS, and the key it names is registered for the client. */
export const proofKeyIsRegistered = reader('proof-key-is-registered', (context: TraitClient): ProofContext => {
  const text = context.header('x-authorization') ?? '';
  const proof = parseCompactJws(text.replace(/^(bearer|pop|dpop) /i, '')) ?? refuseProof('a proof is required');
  const proofHeader = readProofPart(proof.header);
  const key = selectProofKey(context, proofHeader) ?? refuseProof('the proof is not signed with a registered key');
  return { ...context, proof, proofHeader, proofClaims: readProofPart(proof.payload), key };
});

function selectProofKey({ client }: TraitClient, { kid, jwk }: JsonObject): RegisteredKey | undefined {
  const keys = [...client.keys.values()];
  if (kid !== undefined) return keys.find((key) => key.kid === kid);
  const named = importPublicJwk(jwk)?.jwk;
  if (named !== undefined) return keys.find((key) => JSON.stringify(key.jwk) === JSON.stringify(named));
  return keys.length === 1 ? keys[0] : undefined;
}

function readProofPart(bytes: Uint8Array): JsonObject {
  return parseStrictObjectOr(bytes, () => refuseProof('the proof cannot be read')).value;
}

/** §5.4: the proof is signed with the SP's key, by the algorithm of that key. */
export const proofSignatureVerifies = check('proof-signature-verifies', (context: ProofContext) => {
  const { proof, proofHeader, key } = context;
  const plain = proofHeader['alg'] === key.alg && !('crit' in proofHeader);
  if (!plain || !verifyJws(proof, key.key, key.alg)) refuseProof('the signature of the proof does not verify');
});

const maxSignedNames = 100;

/** Header-signing proof: version 1, the signed names and the hash of their values. */
export const proofIsTaap = check('proof-is-taap', ({ proofClaims }: ProofContext) => {
  const { v, ehts, edts } = proofClaims;
  const named = typeof ehts === 'string' ? ehts.split(';') : [];
  if (v !== '1' || typeof edts !== 'string') refuseProof('the proof is malformed');
  if (named.length > maxSignedNames || new Set(named).size < named.length)
    refuseProof('ehts of the proof is malformed');
  for (const name of ['uri', 'http-method', 'body']) {
    if (!named.includes(name)) refuseProof(`the proof does not sign ${name}`);
  }
});

/** The hash covers the values of this query, in the order of the names. */
export const proofSignsTheRequest = check('proof-signs-the-request', (context: ProofContext) => {
  const { ehts, edts } = context.proofClaims;
  const values = asText(ehts)
    .split(';')
    .map((name) => signedValue(context, name) ?? refuseProof('the proof signs what was not sent'));
  const digest = createHash('sha256').update(values.join(''), 'utf8').digest('base64url');
  if (edts !== digest) refuseProof('the proof was made for another request');
});

function signedValue({ method, target, bytes, header }: ProofContext, name: string): string | undefined {
  if (name === 'http-method') return method;
  if (name === 'uri') return target;
  if (name === 'body') return Buffer.from(bytes).toString('utf8');
  return header(name.toLowerCase());
}

/** A proof that is a signed JWT names its client in iss. */
export const proofIssIsTheClient = check('proof-iss-is-the-client', ({ proofClaims, client }: ProofContext) => {
  if (proofClaims['iss'] !== client.clientId) refuseProof('iss of the proof is not client_id');
});

/** A proof that is a signed JWT is for this endpoint only. */
export const proofAudIsTheEndpoint = check(
  'proof-aud-is-the-endpoint',
  ({ proofClaims, origin, target }: ProofContext) => {
    if (proofClaims['aud'] !== `${origin}${target.split('?')[0] ?? ''}`)
      refuseProof('aud of the proof is not this endpoint');
  },
);

/** RFC 9449 §4.2: typed dpop+jwt and carries the public key, which must be the registered one. */
export const proofIsDpop = check('proof-is-dpop', ({ proofHeader, key }: ProofContext) => {
  if (proofHeader['typ'] !== 'dpop+jwt') refuseProof('typ of the proof is not dpop+jwt');
  const jwk = importPublicJwk(proofHeader['jwk'])?.jwk;
  if (JSON.stringify(jwk) !== JSON.stringify(key.jwk)) refuseProof('jwk of the proof is not the registered key');
});

/** RFC 9449 §4.3: htm and htu are those of the query. */
export const proofNamesMethodAndUri = check('proof-names-method-and-uri', (context: ProofContext) => {
  const { proofClaims, origin, method, target } = context;
  if (proofClaims['htm'] !== method) refuseProof('htm of the proof is not the method');
  const [path = ''] = target.split('?');
  if (proofClaims['htu'] !== `${origin}${path}`) refuseProof('htu of the proof is not the address');
});

/** Two minutes, plus ten seconds for clock skew; a DPoP proof has no exp, so only its iat counts. */
export const proofLivesTwoMinutes = check('proof-lives-two-minutes', ({ proofClaims, now, policy }: ProofContext) => {
  const { iat, exp } = proofClaims;
  const at = Math.floor(now / 1000);
  if (typeof iat !== 'number' || !Number.isSafeInteger(iat)) refuseProof('iat of the proof must be an integer');
  const end = exp ?? iat + policy.proofLife;
  if (typeof end !== 'number' || !Number.isSafeInteger(end)) refuseProof('exp of the proof must be an integer');
  if (end - iat > policy.proofLife) refuseProof('the proof is made for more than 2 minutes');
  if (iat > at + policy.proofLeeway || end < at - policy.proofLeeway) refuseProof('the proof is not of now');
});

/** Replay key of a proof; refuses a proof without jti. */
function proofKey({ proofClaims: { jti }, client }: ProofContext): string {
  if (typeof jti !== 'string' || jti === '') refuseProof('jti of the proof is required');
  return JSON.stringify([client.clientId, 'proof', jti]);
}

const refuseRepeatedProof = (): never => refuseProof('the proof was used before');

/** A proof is good for one query. */
export const proofJtiNotRepeated = check('proof-jti-not-repeated', (context: ProofContext) => {
  const { replays, now, policy } = context;
  if (!replays.takeFirst(proofKey(context), now, policy.proofWindow)) refuseRepeatedProof();
});
