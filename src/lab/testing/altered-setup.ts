import { openSetup, type TestSetup } from '../../carrier/testing/setup.ts';
import { applyFaults } from '../catalogue.ts';
import type { AlteredCarrierOptions } from '../reference/altered-carrier.ts';

/** Opens a setup whose carrier has these faults or variants. */
export const openAlteredSetup = ({ faults = [], ...options }: Partial<AlteredCarrierOptions>): Promise<TestSetup> =>
  openSetup(options, (definition) => applyFaults(definition, faults));
