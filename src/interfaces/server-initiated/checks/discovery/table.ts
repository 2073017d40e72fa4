import type { NamedCheck } from '../../../../judge/check.ts';
import { configurationIsOfTheAskedCode } from './configuration-is-of-the-asked-code.ts';
import { oneCarrierForOneCode } from './one-carrier-for-one-code.ts';

/** The named checks of the discovery area (§2.9, §4.5). */
export const discoveryChecks: Readonly<Record<string, NamedCheck>> = {
  'configuration-is-of-the-asked-code': configurationIsOfTheAskedCode,
  'one-carrier-for-one-code': oneCarrierForOneCode,
};
