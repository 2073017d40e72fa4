import { requireAttestable } from '../../engine/plan/check-attestations.ts';
import { requireKnownSupports } from '../../engine/plan/check-supports.ts';
import { readSuites, readTarget } from '../../setup/read.ts';
import { readLimits } from '../../setup/read-limits.ts';
import type { Invocation } from '../shared/invocation.ts';

/** `carrierspec check`: reads and checks everything, sends nothing. */
export async function checkCommand(
  dirs: readonly string[],
  { target }: { readonly target?: string },
  { stdout, env }: Invocation,
): Promise<number> {
  const { faultNames } = await import('../../carrier/faults.ts');
  const { rules, cases, invariants, files } = await readSuites(dirs, new Set(faultNames()));
  const { limits, profile } = readLimits(rules);
  if (target !== undefined) {
    const read = readTarget(target, env);
    requireAttestable(rules, read);
    requireKnownSupports(cases, read);
  }
  const also = target === undefined ? '' : ', and the target file';
  stdout.write(
    `${files.length + 1} files: ${rules.length} rules, ${cases.length} cases, ${invariants.length} invariants, ${limits.length} limits, a profile of ${profile.length}${also}: no mistakes\n`,
  );
  return 0;
}
