import type { CarrierDefinition } from '../carrier/carrier.ts';
import { afterEndingFaults } from './faults/after-endings.ts';
import { besideTheListsFaults } from './faults/beside-the-lists.ts';
import { rareCaseFaults } from './faults/rare-cases.ts';
import { rareServiceFaults } from './faults/rare-services.ts';
import { historyFaults } from './faults/histories.ts';
import { stateLeakFaults } from './faults/state-leaks.ts';
import { baselineMessagesFaults, baselineParsingFaults } from './faults/baseline-parsing.ts';
import { baselineSignaturesFaults } from './faults/baseline-signatures.ts';
import { callbackFaults } from './faults/callback.ts';
import { clientAssertionFaults, tokenFaults } from './faults/tokens.ts';
import {
  contentFaults,
  outsideValueFaults,
  serverInitiatedTransportFaults,
} from './faults/server-initiated-transport.ts';
import { anewInteractionFaults } from './deep/anew-interaction.ts';
import { anewRareValueFaults } from './deep/anew-rare-value.ts';
import { anewStateFaults } from './deep/anew-state.ts';
import { anewConcurrencyFaults } from './deep/anew-concurrency.ts';
import { anewTimeFaults } from './deep/anew-time.ts';
import { anewInformationFaults } from './deep/anew-information.ts';
import { anewRobustnessFaults } from './deep/anew-robustness.ts';
import { concurrencyFaults } from './deep/concurrency.ts';
import type { DeepFault, Fault, Variant } from './edit/fault-table.ts';
import { informationFaults } from './deep/information.ts';
import { interactionFaults } from './deep/interaction.ts';
import { rareValueFaults } from './deep/rare-value.ts';
import { robustnessFaults } from './deep/robustness.ts';
import { stateFaults } from './deep/state.ts';
import { timeFaults } from './deep/time.ts';
import { volumeFaults } from './deep/volume.ts';
import { discoveryFaults } from './faults/discovery.ts';
import { droppedRequestFaults, refusedValuesFaults, skippedCheckFaults } from './faults/skipped-checks.ts';
import { eventFaults } from './faults/events.ts';
import { flagFaults } from './faults/flags.ts';
import { loginHintTokenFaults } from './faults/login-hint-token.ts';
import { nearMissFaults } from './faults/near-misses.ts';
import { requestObjectClaimsFaults } from './faults/request-object-claims.ts';
import { requestObjectIdentityFaults, requestObjectUrisFaults } from './faults/request-object-identity.ts';
import { requestObjectReplayFaults } from './faults/request-object-replay.ts';
import { requestObjectSubscriberFaults } from './faults/request-object-subscriber.ts';
import { requestObjectValuesFaults } from './faults/request-object-values.ts';
import { serverInitiatedFlowFaults } from './faults/server-initiated-flow.ts';
import { userinfoFaults } from './faults/userinfo.ts';
import { usertraitFaults } from './faults/usertrait.ts';
import { bodyVariants, responseVariants } from './variants/responses.ts';
import { conversationVariants, readingVariants } from './variants/readings.ts';
import { discoveryVariants, endpointVariants, serviceVariants } from './variants/endpoints.ts';
import { keyVariants, tokenVariants } from './variants/tokens.ts';
import { requestVariants } from './variants/requests.ts';

/** Faults that take more than one deviation in one request to show. */
export const deepFaults: readonly DeepFault[] = [
  ...interactionFaults,
  ...rareValueFaults,
  ...stateFaults,
  ...volumeFaults,
  ...concurrencyFaults,
  ...timeFaults,
  ...informationFaults,
  ...robustnessFaults,
  ...anewInteractionFaults,
  ...anewRareValueFaults,
  ...anewStateFaults,
  ...anewConcurrencyFaults,
  ...anewTimeFaults,
  ...anewInformationFaults,
  ...anewRobustnessFaults,
];

/** Every fault of the reference carrier, in the order of the areas of suites/. */
export const faultCatalogue: readonly Fault[] = [
  ...serverInitiatedTransportFaults,
  ...contentFaults,
  ...outsideValueFaults,
  ...serverInitiatedFlowFaults,
  ...requestObjectIdentityFaults,
  ...requestObjectClaimsFaults,
  ...requestObjectSubscriberFaults,
  ...requestObjectReplayFaults,
  ...requestObjectUrisFaults,
  ...requestObjectValuesFaults,
  ...nearMissFaults,
  ...refusedValuesFaults,
  ...droppedRequestFaults,
  ...skippedCheckFaults,
  ...stateLeakFaults,
  ...afterEndingFaults,
  ...callbackFaults,
  ...tokenFaults,
  ...clientAssertionFaults,
  ...loginHintTokenFaults,
  ...discoveryFaults,
  ...userinfoFaults,
  ...usertraitFaults,
  ...eventFaults,
  ...flagFaults,
  ...baselineSignaturesFaults,
  ...baselineParsingFaults,
  ...baselineMessagesFaults,
  ...besideTheListsFaults,
  ...rareCaseFaults,
  ...rareServiceFaults,
  ...historyFaults,
];

export const carrierFaultNames = (): string[] => faultCatalogue.map(({ name }) => name);

/** Every variant of the reference carrier; all of them conform. */
export const variants: readonly Variant[] = [
  ...requestVariants,
  ...readingVariants,
  ...responseVariants,
  ...bodyVariants,
  ...tokenVariants,
  ...keyVariants,
  ...conversationVariants,
  ...discoveryVariants,
  ...endpointVariants,
  ...serviceVariants,
];

export const variantNames = (): string[] => variants.map(({ name }) => name);

const alterationsByName = new Map<string, Variant>(
  [...faultCatalogue, ...deepFaults, ...variants].map((one) => [one.name, one]),
);

export class UnknownFaultError extends Error {
  readonly fault: string;

  constructor(name: string) {
    const near = similarNames(name);
    super(`there is no fault ${name}${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`}`);
    this.fault = name;
    this.name = 'UnknownFaultError';
  }
}

/** Applies faults or variants in the order given; throws UnknownFaultError. */
export const applyFaults = (definition: CarrierDefinition, names: readonly string[]): CarrierDefinition =>
  names.reduce((changed, name) => findFault(name).apply(changed), definition);

function findFault(name: string): Variant {
  const fault = alterationsByName.get(name);
  if (fault === undefined) throw new UnknownFaultError(name);
  return fault;
}

/** Up to three names that share the first eight characters or differ by at most three edits. */
function similarNames(name: string): string[] {
  const wanted = name.toLowerCase();
  return [...alterationsByName.keys()]
    .map((known) => ({ known, distance: known.startsWith(wanted.slice(0, 8)) ? 1 : editDistance(wanted, known) }))
    .filter(({ distance }) => distance <= 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ known }) => known);
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1];
    for (let column = 0; column < to.length; column++) {
      const change = (row[column] ?? 0) + (from[at] === to[column] ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
