import { check, type Check, type Reader, reader } from '../pipeline/context.ts';
import { type JsonObject, stringMember } from '../json.ts';
import { parseCompactJws } from '../jose/jws.ts';
import { refuse } from '../refusal.ts';
import { parseStrictObject } from '../jose/strict-json.ts';
import { type ProofContext, refuseProof, type TraitClient } from '../pipeline/usertrait-context.ts';
import type { TraitMakers } from '../builders/usertrait.ts';
import type { TraitPipeline } from '../pipeline/usertrait.ts';
import { defineFault, type Edit, lessChecks, withPolicy, withTraits, withTraitSteps } from './edit/define.ts';

/** On the usertrait query: §2.8, §4.7, §5.4. */
export const traitFaults = [
  defineFault({
    name: 'usertrait-flag-ignored',
    says: 'Every client may ask for traits.',
    breaks: ['CFG-001', 'UT-004'],
    apply: withTraitSteps(({ onClaims }) => ({ onClaims: lessChecks(onClaims, 'usertraits-are-on') })),
  }),
  defineFault({
    name: 'usertrait-form-accepted',
    says: 'A form is read like JSON.',
    breaks: ['UT-005'],
    apply: withTraitSteps(({ onMessage }) => ({
      onMessage: lessChecks(onMessage, 'trait-content-type-is-json'),
      readBody: reader('body-by-any-parser', (context) => ({ ...context, body: anyBody(context.bytes) })),
    })),
  }),
  defineFault({
    name: 'proof-not-required',
    says: 'Without x-authorization the client_id is believed.',
    breaks: ['UT-006', 'UT-019', 'SEC-33'],
    apply: withTraitSteps(({ readProof, onProof, onFormat }) => ({
      readProof: reader('proof-or-nothing', (context) =>
        context.header('x-authorization') === undefined ? believed(context) : readProof.read(context),
      ),
      onProof: onProof.map(unlessBelieved),
      onFormat: mapFormats(onFormat, unlessBelieved),
    })),
  }),
  defineFault({
    name: 'proof-unreadable-not-required',
    says: 'What is no JWS in x-authorization is taken for a credential that the gateway has checked.',
    breaks: ['UT-006', 'UT-007', 'UT-019', 'SEC-33'],
    apply: withTraitSteps(({ readProof, onProof, onFormat }) => ({
      readProof: reader('proof-or-gateway', (context) =>
        isProof(context) || context.header('x-authorization') === undefined
          ? readProof.read(context)
          : believed(context),
      ),
      onProof: onProof.map(ofProofs),
      onFormat: mapFormats(onFormat, ofProofs),
    })),
  }),
  defineFault({
    name: 'proof-signature-not-verified',
    says: 'The proof is decoded and believed.',
    breaks: ['UT-007', 'UT-019', 'SEC-42'],
    apply: withTraitSteps(() => ({ onProof: [] })),
  }),
  defineFault({
    name: 'proof-of-any-client',
    says: 'The proof of any registered client is taken.',
    breaks: ['UT-007', 'UT-008', 'UT-019'],
    apply: withTraitSteps(({ readProof }) => ({
      readProof: reader('proof-by-any-client', (context) => byAnyClient(context, readProof)),
    })),
  }),
  defineFault({
    name: 'proof-never-too-old',
    says: 'A proof may be of any age.',
    breaks: ['SEC-42', 'UT-007', 'UT-019'],
    apply: withoutProofCheck('proof-lives-two-minutes'),
  }),
  defineFault({
    name: 'proof-life-10-minutes',
    says: 'A proof may be ten minutes old.',
    breaks: ['SEC-42'],
    apply: withPolicy({ proofLife: 600, proofWindow: 700 }),
  }),
  defineFault({
    name: 'proof-replayable',
    says: 'A proof is good for many queries.',
    breaks: ['SEC-42', 'UT-007'],
    apply: withoutProofCheck('proof-jti-not-repeated'),
  }),
  defineFault({
    name: 'proof-request-not-compared',
    says: 'The hash in the proof is not compared with the request.',
    breaks: ['UT-007', 'SEC-42'],
    apply: withoutProofCheck('proof-signs-the-request'),
  }),
  defineFault({
    name: 'trait-sub-by-number',
    says: 'A phone number is taken for sub.',
    breaks: ['UT-009'],
    apply: withTraitSteps(({ onClaims, readSubscriber }) => ({
      onClaims: lessChecks(onClaims, 'trait-sub-is-pairwise'),
      readSubscriber: reader('sub-or-number', (context) => {
        const subscriber = context.accounts.findPhone(stringMember(context.body, 'sub') ?? '');
        return subscriber === undefined ? readSubscriber.read(context) : { ...context, subscriber };
      }),
    })),
  }),
  defineFault({
    name: 'trait-client-by-the-proof',
    says: 'Who asks is told by the key of the proof; the client_id of the query is not read.',
    breaks: ['UT-008', 'UT-019'],
    apply: withTraitSteps(({ readClient, readProof }) => ({
      readClient: reader('client-by-the-proof', (context) => {
        for (const client of context.accounts.clients.values()) {
          if (attempt(() => readProof.read({ ...context, client })) !== undefined) return { ...context, client };
        }
        return readClient.read(context);
      }),
    })),
  }),
  defineFault({
    name: 'trait-carrier-code-not-read',
    says: 'What stands before the dash in a sub is not read.',
    breaks: ['UT-009'],
    apply: withTraitSteps(({ onClaims, readSubscriber }) => ({
      onClaims: lessChecks(onClaims, 'trait-sub-is-pairwise'),
      readSubscriber: reader('sub-behind-the-dash', (context) => {
        const rest = stringMember(context.body, 'sub')?.split('-').at(-1) ?? '';
        return readSubscriber.read({ ...context, body: { ...context.body, sub: `${context.mccmnc}-${rest}` } });
      }),
    })),
  }),
  defineFault({
    name: 'trait-foreign-sub-accepted',
    says: 'The pairwise sub of another client is taken for a query.',
    breaks: ['UT-010'],
    apply: withTraitSteps(({ readSubscriber }) => ({
      readSubscriber: reader('sub-of-anyone', (context) => {
        const found = context.accounts.findSub(stringMember(context.body, 'sub') ?? '');
        return found === undefined ? readSubscriber.read(context) : { ...context, subscriber: found.subscriber };
      }),
    })),
  }),
  defineFault({
    name: 'trait-name-not-checked',
    says: 'Whatever trait is asked for, the SIM tenure is answered.',
    breaks: ['UT-011'],
    apply: withTraitSteps(({ onClaims }) => ({ onClaims: lessChecks(onClaims, 'trait-is-sim-tenure') })),
  }),
  defineFault({
    name: 'trait-name-in-any-case',
    says: 'SIM_TENURE is taken for sim_tenure.',
    breaks: ['UT-011'],
    apply: withTraitSteps(({ onClaims }) => ({
      onClaims: onClaims.map((one) =>
        one.name === 'trait-is-sim-tenure'
          ? check(one.name, (context: ProofContext) => {
              const name = stringMember(context.body, 'usertrait')?.toLowerCase() ?? null;
              one.run({ ...context, body: { ...context.body, usertrait: name } });
            })
          : one,
      ),
    })),
  }),
  defineFault({
    name: 'trait-correlation-id-refused',
    says: 'A correlation_id is refused.',
    breaks: ['UT-005', 'UT-010', 'UT-011', 'UT-012', 'UT-015', 'UT-016', 'UT-017', 'UT-023'],
    blinds: 'what follows',
    apply: alsoRefused(({ body }) => 'correlation_id' in body),
  }),
  defineFault({
    name: 'trait-without-sim-tenure',
    says: 'The answer calls its member value.',
    breaks: ['UT-013', 'UT-015', 'UT-016', 'UT-017', 'UT-018'],
    blinds: ['CFG-001', 'UI-001', 'UI-037'],
    apply: withTraits(() => ({ answer: (tenure) => ({ value: tenure }) })),
  }),
  defineFault({
    name: 'tenure-as-boolean',
    says: 'sim_tenure is a JSON boolean.',
    breaks: ['UT-014'],
    blinds: ['UI-001', 'UI-037'],
    apply: withTraits(() => ({
      answer: (tenure) => ({ sim_tenure: tenure === 'error' ? tenure : tenure === 'true' }),
    })),
  }),
  defineFault({
    name: 'tenure-inverted',
    says: 'true means that the SIM is old.',
    breaks: ['UT-015', 'UT-016', 'UT-017'],
    blinds: ['UI-001', 'UI-037'],
    apply: changedTenure((tenure) => (tenure === 'error' ? tenure : tenure === 'true' ? 'false' : 'true')),
  }),
  defineFault({
    name: 'tenure-always-false',
    says: 'SIM swaps never reach the trait.',
    breaks: ['UT-015', 'UT-017'],
    blinds: ['UI-001', 'UI-037'],
    apply: changedTenure((tenure) => (tenure === 'error' ? tenure : 'false')),
  }),
  defineFault({
    name: 'tenure-always-true',
    says: 'Every SIM is new.',
    breaks: ['UT-016', 'UT-017'],
    apply: changedTenure((tenure) => (tenure === 'error' ? tenure : 'true')),
  }),
  defineFault({
    name: 'tenure-window-12-hours',
    says: 'A SIM is new for 12 hours.',
    breaks: ['UT-017'],
    apply: withPolicy({ simTenureWindow: 43_200 }),
  }),
  defineFault({
    name: 'tenure-window-48-hours',
    says: 'A SIM is new for 48 hours.',
    breaks: ['UT-017'],
    apply: withPolicy({ simTenureWindow: 172_800 }),
  }),
  defineFault({
    name: 'tenure-unknown-is-old',
    says: 'A SIM of unknown age is said to be old.',
    breaks: ['UT-018'],
    apply: changedTenure((tenure) => (tenure === 'error' ? 'false' : tenure)),
  }),
  defineFault({
    name: 'tenure-in-refusals',
    says: 'The tenure is fetched before it is seen whether it may be told, and stands in the refusal.',
    breaks: ['UT-019', 'UT-020', 'UT-022'],
    apply: withTraits(({ refusal }) => ({
      refusal: (reason) => ({
        ...refusal(reason),
        ...(reason.error === 'access_denied' ? { sim_tenure: 'false' } : {}),
      }),
    })),
  }),
  defineFault({
    name: 'trait-consent-not-checked',
    says: 'The consent of the user is not looked at.',
    breaks: ['UT-020'],
    apply: withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: lessChecks(onSubscriber, 'trait-subscriber-consented'),
    })),
  }),
  defineFault({
    name: 'trait-without-the-app',
    says: 'A user without the app is covered.',
    breaks: ['UT-022'],
    apply: withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: lessChecks(onSubscriber, 'trait-subscriber-has-the-app'),
    })),
  }),
  defineFault({
    name: 'usertrait-needs-events',
    says: 'Only subscribers to events may ask for traits.',
    breaks: ['UT-023'],
    apply: alsoRefused(({ client }) => client.flags.get('events') !== true),
  }),
] as const;

function changedTenure(change: (tenure: ReturnType<TraitMakers['tenure']>) => ReturnType<TraitMakers['tenure']>): Edit {
  return withTraits(({ tenure }) => ({ tenure: (subscriber, moment) => change(tenure(subscriber, moment)) }));
}

type Formats = TraitPipeline['onFormat'];

function mapFormats(formats: Formats, change: (one: Check<ProofContext>) => Check<ProofContext>): Formats {
  const { taap, jwt, dpop } = formats;
  return { taap: taap.map(change), jwt: jwt.map(change), dpop: dpop.map(change) };
}

function withoutProofCheck(name: string): Edit {
  return withTraitSteps(({ onFormat: { taap, jwt, dpop } }) => {
    const less = (checks: readonly Check<ProofContext>[]) => checks.filter((one) => one.name !== name);
    return { onFormat: { taap: less(taap), jwt: less(jwt), dpop: less(dpop) } };
  });
}

function alsoRefused(isBad: (context: ProofContext) => boolean): Edit {
  return withTraitSteps(({ onClaims }) => ({
    onClaims: [
      ...onClaims,
      check('one-more-thing', (context) => {
        if (isBad(context)) refuse('invalid_request', 'the query is not supported');
      }),
    ],
  }));
}

/** A context as if there had been a proof. */
function believed(context: TraitClient): ProofContext {
  const [key] = context.client.keys.values();
  const proof = parseCompactJws('e30.e30.e30') ?? refuseProof('a proof is required');
  return { ...context, proof, proofHeader: {}, proofClaims: {}, key: key ?? refuseProof('a key is required') };
}

function isProof({ header }: Pick<ProofContext, 'header'>): boolean {
  return parseCompactJws(header('x-authorization') ?? '') !== undefined;
}

function ofProofs(one: Check<ProofContext>): Check<ProofContext> {
  return check(one.name, (context) => {
    if (isProof(context)) one.run(context);
  });
}

function unlessBelieved(one: Check<ProofContext>): Check<ProofContext> {
  return check(one.name, (context) => {
    if (context.header('x-authorization') !== undefined) one.run(context);
  });
}

/** Goes on with the first client whose key it could be; the one asked for stays that of the body. */
function byAnyClient(context: TraitClient, reading: Reader<TraitClient, ProofContext>): ProofContext {
  for (const client of context.accounts.clients.values()) {
    const found = attempt(() => reading.read({ ...context, client }));
    if (found !== undefined) return { ...found, client: context.client };
  }
  return reading.read(context);
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function anyBody(bytes: Uint8Array): JsonObject {
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  return form.has('client_id') ? Object.fromEntries(form) : parseStrictObject(bytes).value;
}
