import { quoteWord } from '../../lib/shell.ts';
import type { ResultHeader } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import { cutText, forTerminal, showValue } from '../../report/shared/sanitize.ts';
import type { Suites } from '../../suite/suites.ts';
import { namesCarrier, parseFlags, type RepeatedFlags, renderFlags } from './flags.ts';
import { usageError } from './inputs.ts';
import type { Invocation } from './invocation.ts';

/** The command line with more flags, as a shell takes it; behind `--` they would be names. */
function withFlags(argv: readonly string[], flags: readonly string[]): string {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return ['carrierspec', ...argv.slice(0, end), ...flags, ...argv.slice(end)].map(quoteWord).join(' ');
}

/**
 * Throws where an earlier run used a target file or suites that the command line does not name. A result or a journal may be a
 * stranger's: its target file could send the environment to any host, sign with any key, and run any program.
 */
export function requireNamed(
  given: Pick<RepeatedFlags, 'target' | 'suites' | 'fault'>,
  earlier: readonly string[],
  { argv }: Pick<Invocation, 'argv'>,
): void {
  const { target, suites } = parseFlags(earlier);
  const missing = [
    ...(target === undefined || namesCarrier(given) ? [] : renderFlags({ target, suites: [], without: [], fault: [] })),
    ...(given.suites.length > 0 ? [] : renderFlags({ suites, without: [], fault: [] })),
  ];
  if (missing.length === 0) return;
  throw usageError(
    `the earlier run used ${missing.map(quoteWord).join(' ')}; files that a result or journal names are not opened. If you trust them, name them: ${withFlags(argv, missing)}`,
  );
}

/** What this run is held to, and by. */
interface Now {
  readonly target: Pick<Target, 'name' | 'issuer' | 'fingerprint'>;
  readonly suites: Pick<Suites, 'digests'>;
}

/** Notes on stderr where this run has another target, or other suites, than the earlier one that it repeats. */
export function noteDifferences(
  { target, suites }: ResultHeader,
  now: Now,
  { stderr }: Pick<Invocation, 'stderr'>,
): void {
  const isKnown = target.issuer !== '' && now.target.issuer !== undefined;
  const words = ({ name, issuer = '' }: Now['target']): string =>
    isKnown ? `${showValue(name, 80)} at ${cutText(issuer, 200)}` : showValue(name, 80);
  const [before, today] = [words(target), words(now.target)];
  const { rules, suites: files } = now.suites.digests;
  const differences = [
    ...(target.fingerprint === now.target.fingerprint
      ? []
      : [before === today ? `the target file (of ${today})` : `the target (${before} then, ${today} now)`]),
    ...(suites.rules === rules && suites.suites === files ? [] : ['the rules or suites']),
  ];
  if (differences.length === 0) return;
  stderr.write(`note: ${forTerminal(`not as in the earlier run: ${differences.join('; ')}`)}\n`);
}
