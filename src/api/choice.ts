import type { RunChoice } from '../cli/run/options-of.ts';
import { runDefinition } from '../cli/definitions/certify.ts';
import { type Input, usageError } from '../cli/shared/inputs.ts';
import { defined } from '../lib/optional.ts';
import type { CertifyOptions } from './options.ts';
import type { TargetChoice, TargetFile } from './target.ts';

const { profile, jobs, order } = runDefinition.flags;

/** What the flag of the same name makes of an option, and where there is none, of its absence; a caller may have no types. */
const asFlag = <T>(flag: Input<T>, given: string | number | undefined): T =>
  flag.read(given === undefined ? undefined : String(given));

function budgetOf(seconds: number | undefined): RunChoice['budget'] {
  if (seconds === undefined) return undefined;
  if (!(seconds > 0) || !Number.isFinite(seconds)) throw usageError('budget: it is a number of seconds above 0');
  return { seconds, text: `${seconds}s` };
}

/** A file where there is one, and else the embedded carrier. */
export function fileOf(target: TargetChoice): TargetFile | undefined {
  if (typeof target === 'string') return { file: target };
  return 'file' in target ? target : undefined;
}

/** The flags of `carrierspec run` that say the same. Throws CarrierspecError, with the message that the flag would have. */
export function choiceOf(target: TargetChoice, options: CertifyOptions): RunChoice {
  return {
    what: options.what ?? [],
    suites: options.suites ?? [],
    without: options.without ?? [],
    fault: typeof target === 'object' && 'faults' in target ? target.faults : [],
    bail: options.bail ?? false,
    keepGoing: options.keepGoing ?? false,
    jobs: asFlag(jobs, options.jobs),
    resume: false,
    ...defined({
      target: fileOf(target)?.file,
      profile: asFlag(profile, options.profile),
      order: asFlag(order, options.order),
      expected: options.expected,
      budget: budgetOf(options.budget),
    }),
  };
}
