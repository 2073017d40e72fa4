import { createCarrier, type RunningCarrier } from '../../carrier/create-carrier.ts';
import { type CarrierOptions, OptionError, parseOptions } from '../../carrier/options.ts';
import { applyFaults } from '../catalogue.ts';

export interface AlteredCarrierOptions extends CarrierOptions {
  /** Names of faults and variants, applied in this order. */
  readonly faults?: readonly string[];
}

/** Starts a reference carrier with faults or variants; throws RegistrationError or UnknownFaultError before it listens. */
export const createAlteredCarrier = ({ faults = [], ...options }: AlteredCarrierOptions): Promise<RunningCarrier> =>
  createCarrier(options, (definition) => applyFaults(definition, faults));

/** Parses the options sent to a worker thread; throws OptionError. */
export function parseAlteredOptions(value: unknown): AlteredCarrierOptions {
  const options = parseOptions(value);
  const faults: unknown = typeof value === 'object' && value !== null && 'faults' in value ? value.faults : [];
  if (!Array.isArray(faults)) throw new OptionError('faults must be a list of names');
  return { ...options, faults: faults.map(parseName) };
}

function parseName(value: unknown): string {
  if (typeof value !== 'string') throw new OptionError('faults must be a list of names');
  return value;
}
