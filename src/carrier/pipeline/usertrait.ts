import {
  proofAudIsTheEndpoint,
  proofIsDpop,
  proofIssIsTheClient,
  proofIsTaap,
  proofJtiNotRepeated,
  proofKeyIsRegistered,
  proofLivesTwoMinutes,
  proofNamesMethodAndUri,
  proofSignatureVerifies,
  proofSignsTheRequest,
  traitBodyIsJson,
  traitClientIsRegistered,
  traitContentTypeIsJson,
  traitCorrelationIdPattern,
  traitIsSimTenure,
  traitSubIsPairwise,
  traitSubIsTheClientsOwn,
  traitSubscriberConsented,
  traitSubscriberHasTheApp,
  traitSubscriberIsLinked,
  usertraitsAreOn,
} from '../checks/usertrait.ts';
import {
  type Check,
  type ProofContext,
  type Reader,
  runChecks,
  type TraitBody,
  type TraitClient,
  type TraitMessage,
  type TraitSubscriber,
} from '../context.ts';

/** Format of the proof of possession, which §5.8 leaves open. */
type ProofFormat = 'taap' | 'jwt' | 'dpop';

export interface TraitPipeline {
  readonly onMessage: readonly Check<TraitMessage>[];
  readonly readBody: Reader<TraitMessage, TraitBody>;
  readonly readClient: Reader<TraitBody, TraitClient>;
  readonly readProof: Reader<TraitClient, ProofContext>;
  readonly onProof: readonly Check<ProofContext>[];
  readonly onFormat: Readonly<Record<ProofFormat, readonly Check<ProofContext>[]>>;
  readonly onClaims: readonly Check<ProofContext>[];
  /** Only this step may be asynchronous, because the subscriber registry may be remote. */
  readonly readSubscriber: Reader<ProofContext, TraitSubscriber | Promise<TraitSubscriber>>;
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
  onSubscriber: [traitSubscriberHasTheApp, traitSubscriberIsLinked, traitSubscriberConsented],
};

/** Runs a query through the pipeline; calls `seen` as soon as the body is read, for the audit log of §4.7. */
export async function runTraitPipeline(
  steps: TraitPipeline,
  message: TraitMessage,
  seen: (body: TraitBody) => void,
): Promise<TraitSubscriber> {
  runChecks(steps.onMessage, message);
  const body = steps.readBody.read(message);
  seen(body);
  const client = steps.readClient.read(body);
  const proof = steps.readProof.read(client);
  runChecks(steps.onProof, proof);
  runChecks(steps.onFormat[selectFormat(proof)], proof);
  runChecks(steps.onClaims, proof);
  const subscriber = await steps.readSubscriber.read(proof);
  runChecks(steps.onSubscriber, subscriber);
  return subscriber;
}

/** Format set by the policy; if any is accepted, the proof shows it. */
function selectFormat({ policy: { proofFormat }, proofHeader, proofClaims }: ProofContext): ProofFormat {
  if (proofFormat !== 'any') return proofFormat;
  if (proofHeader['typ'] === 'dpop+jwt') return 'dpop';
  return 'edts' in proofClaims ? 'taap' : 'jwt';
}
