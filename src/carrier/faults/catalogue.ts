import { serverInitiatedTransportFaults } from './server-initiated-transport.ts';
import { serverInitiatedFlowFaults } from './server-initiated-flow.ts';
import { requestObjectIdentityFaults } from './request-object-identity.ts';
import { requestObjectClaimsFaults } from './request-object-claims.ts';
import { requestObjectSubscriberFaults } from './request-object-subscriber.ts';
import { callbackFaults } from './callback.ts';
import { tokenFaults } from './tokens.ts';
import { discoveryFaults } from './discovery.ts';
import { userinfoFaults } from './userinfo.ts';
import { usertraitFaults } from './usertrait.ts';
import { eventFaults } from './events.ts';
import { baselineSignaturesFaults } from './baseline-signatures.ts';
import { baselineParsingFaults } from './baseline-parsing.ts';
import type { Fault } from './edit/define.ts';

/** Every defect the reference carrier can be given, by the areas of suites/. */
export const faults: readonly Fault[] = [
  ...serverInitiatedTransportFaults,
  ...serverInitiatedFlowFaults,
  ...requestObjectIdentityFaults,
  ...requestObjectClaimsFaults,
  ...requestObjectSubscriberFaults,
  ...callbackFaults,
  ...tokenFaults,
  ...discoveryFaults,
  ...userinfoFaults,
  ...usertraitFaults,
  ...eventFaults,
  ...baselineSignaturesFaults,
  ...baselineParsingFaults,
];

export function faultNames(): string[] {
  return faults.map(({ name }) => name);
}
