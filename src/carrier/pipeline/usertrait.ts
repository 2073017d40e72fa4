import { proofAudIsTheEndpoint } from '../checks/proof-aud-is-the-endpoint.ts';
import { proofIsDpop } from '../checks/proof-is-dpop.ts';
import { proofIsTaap } from '../checks/proof-is-taap.ts';
import { proofIssIsTheClient } from '../checks/proof-iss-is-the-client.ts';
import { proofJtiNotRepeated } from '../checks/proof-jti-not-repeated.ts';
import { proofKeyIsRegistered } from '../checks/proof-key-is-registered.ts';
import { proofLivesTwoMinutes } from '../checks/proof-lives-two-minutes.ts';
import { proofNamesMethodAndUri } from '../checks/proof-names-method-and-uri.ts';
import { proofSignatureVerifies } from '../checks/proof-signature-verifies.ts';
import { proofSignsTheRequest } from '../checks/proof-signs-the-request.ts';
import { traitBodyIsJson } from '../checks/trait-body-is-json.ts';
import { traitClientIsRegistered } from '../checks/trait-client-is-registered.ts';
import { traitContentTypeIsJson } from '../checks/trait-content-type-is-json.ts';
import { traitCorrelationIdPattern } from '../checks/trait-correlation-id-pattern.ts';
import { traitIsSimTenure } from '../checks/trait-is-sim-tenure.ts';
import { traitSubIsPairwise } from '../checks/trait-sub-is-pairwise.ts';
import { traitSubIsTheClientsOwn } from '../checks/trait-sub-is-the-clients-own.ts';
import { traitSubscriberConsented } from '../checks/trait-subscriber-consented.ts';
import { traitSubscriberHasTheApp } from '../checks/trait-subscriber-has-the-app.ts';
import { usertraitsAreOn } from '../checks/usertraits-are-on.ts';
import type { Check, Reader } from './context.ts';
import type { ProofContext, TraitBody, TraitClient, TraitMessage, TraitSubscriber } from './usertrait-context.ts';

/** A kind of proof of possession; §5.8 does not show which it is. */
export type ProofFormat = 'taap' | 'jwt' | 'dpop';

/** The steps of a usertrait query, in order. */
export interface TraitPipeline {
  readonly onMessage: readonly Check<TraitMessage>[];
  readonly readBody: Reader<TraitMessage, TraitBody>;
  readonly readClient: Reader<TraitBody, TraitClient>;
  readonly readProof: Reader<TraitClient, ProofContext>;
  readonly onProof: readonly Check<ProofContext>[];
  readonly onFormat: Readonly<Record<ProofFormat, readonly Check<ProofContext>[]>>;
  readonly onClaims: readonly Check<ProofContext>[];
  readonly readSubscriber: Reader<ProofContext, TraitSubscriber>;
  readonly onSubscriber: readonly Check<TraitSubscriber>[];
}

/** §2.8, §4.7 and §5.4 on one page. */
export const strictTraitPipeline: TraitPipeline = {
  onMessage: [traitContentTypeIsJson],
  readBody: traitBodyIsJson,
  readClient: traitClientIsRegistered,
  readProof: proofKeyIsRegistered,
  onProof: [proofSignatureVerifies],
  onFormat: {
    taap: [proofIsTaap, proofLivesTwoMinutes, proofSignsTheRequest, proofJtiNotRepeated],
    jwt: [proofIssIsTheClient, proofAudIsTheEndpoint, proofLivesTwoMinutes, proofJtiNotRepeated],
    dpop: [proofIsDpop, proofNamesMethodAndUri, proofLivesTwoMinutes, proofJtiNotRepeated],
  },
  onClaims: [usertraitsAreOn, traitIsSimTenure, traitCorrelationIdPattern, traitSubIsPairwise],
  readSubscriber: traitSubIsTheClientsOwn,
  onSubscriber: [traitSubscriberHasTheApp, traitSubscriberConsented],
};

/** Takes a query through the pipeline; `seen` is told its body as soon as it can be read, for the audit log of §4.7. */
export function runTraitPipeline(
  steps: TraitPipeline,
  message: TraitMessage,
  seen: (body: TraitBody) => void,
): TraitSubscriber {
  runAll(steps.onMessage, message);
  const body = steps.readBody.read(message);
  seen(body);
  const client = steps.readClient.read(body);
  const proof = steps.readProof.read(client);
  runAll(steps.onProof, proof);
  runAll(steps.onFormat[formatOf(proof)], proof);
  runAll(steps.onClaims, proof);
  const subscriber = steps.readSubscriber.read(proof);
  runAll(steps.onSubscriber, subscriber);
  return subscriber;
}

function runAll<C>(checks: readonly Check<C>[], context: C): void {
  for (const { run } of checks) run(context);
}

/** A carrier that takes any format goes by what the proof looks like. */
function formatOf({ policy: { proofFormat }, proofHeader, proofClaims }: ProofContext): ProofFormat {
  if (proofFormat !== 'any') return proofFormat;
  if (proofHeader['typ'] === 'dpop+jwt') return 'dpop';
  return 'edts' in proofClaims ? 'taap' : 'jwt';
}
