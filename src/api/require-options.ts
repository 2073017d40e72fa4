import { CarrierspecError } from '../model/problem.ts';
import { profiles } from '../model/profile.ts';
import { levels } from '../model/rule.ts';
import type { CertifyOptions } from './options.ts';

const words: Readonly<Partial<Record<keyof CertifyOptions, readonly string[]>>> = {
  level: levels,
  profile: profiles,
  preflight: ['off', 'quick', 'full'],
};

const mostJobs = 1000;

const refuse = (message: string): CarrierspecError => new CarrierspecError(message, { code: 'bad-flag' });

/** A caller without types gets the message that the flag of the same name would give. Throws CarrierspecError. */
export function requireOptions(options: CertifyOptions): void {
  for (const [name, of] of Object.entries(words)) {
    const given: unknown = options[name as keyof CertifyOptions];
    if (given !== undefined && !of.some((one) => one === given)) throw refuse(`${name}: it is one of ${of.join(', ')}`);
  }
  const { jobs = 1, budget = 1 } = options;
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > mostJobs) {
    throw refuse(`jobs: it is a whole number from 1 to ${mostJobs}`);
  }
  if (!(budget > 0) || !Number.isFinite(budget)) throw refuse('budget: it is a number of seconds above 0');
}
