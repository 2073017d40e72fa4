import { findSealFlaw } from '../../journal/seal.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Result, ResultHeader, Shard } from '../../model/result.ts';
import type { Suites } from '../../suite/suites.ts';

/** Result read from a file, to merge with others. */
export interface MergePart {
  readonly file: string;
  readonly result: Result;
}

export interface ShardPart extends MergePart {
  readonly shard: Shard;
}

export const refuseMerge = (message: string): CarrierspecError =>
  new CarrierspecError(message, { code: 'not-parts-of-one-run' });

/** Loopback origin with a port. A carrier on a shard's machine, such as the embedded one, has a different port on each. */
const loopback = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/;

/** Whether the shards tested one carrier: neither at a loopback address nor on a virtual clock. */
export const sharesCarrier = ({ clock, target }: ResultHeader): boolean =>
  clock.kind === 'real' && !loopback.test(target.issuer);

/** Issuer without the port if it is on loopback, where the port differs. */
const comparableIssuer = (issuer: string): string => issuer.replace(loopback, '$1');

const joinWords = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(' '));

/** Named values that the parts of one run share. */
const commonValues: readonly (readonly [what: string, of: (header: ResultHeader) => string])[] = [
  ['the version of carrierspec', ({ tool }) => tool.version],
  ['the digest of the program', ({ tool }) => tool.digest],
  ['the digest of the rules', ({ suites }) => suites.rules],
  ['the digest of the suites', ({ suites }) => suites.suites],
  ['the carrier', ({ target }) => target.name],
  ['the digest of the target file', ({ target }) => target.fingerprint],
  ['the issuer', ({ target }) => comparableIssuer(target.issuer)],
  ['the clock', ({ clock }) => clock.kind],
  ['the selection', ({ selection }) => joinWords(selection)],
  ['the flags', ({ flags }) => joinWords(flags)],
  ['the number of shards', ({ shard }) => String(shard?.of)],
];

const headerDifferences = (one: ResultHeader, other: ResultHeader): readonly string[] =>
  commonValues.flatMap(([what, of]) =>
    of(one) === of(other)
      ? []
      : [`${what} ${what === 'the flags' ? 'differ' : 'differs'}: ${of(one)} and ${of(other)}`],
  );

function requireSameRun(parts: readonly ShardPart[]): void {
  const [first, ...others] = parts;
  if (first === undefined) return;
  for (const { file, result } of others) {
    const differing = headerDifferences(first.result.header, result.header);
    if (differing.length === 0) continue;
    throw refuseMerge(`${first.file} and ${file} are not parts of one run: ${differing.join('; ')}`);
  }
}

function requireDistinct(parts: readonly ShardPart[]): void {
  const files = new Map<number, string>();
  const holders = new Map<string, string>();
  for (const { file, shard, result } of parts) {
    const other = files.get(shard.index);
    if (other !== undefined) throw refuseMerge(`${other} and ${file} are both shard ${shard.index} of ${shard.of}`);
    files.set(shard.index, file);
    for (const { id } of result.cases) {
      const holder = holders.get(id);
      if (holder !== undefined) throw refuseMerge(`${holder} and ${file} both hold the case ${id}`);
      holders.set(id, file);
    }
  }
}

/** Returns the parts of one run, by index. Throws with the differences if they are not of one run. */
export function requireParts(results: readonly MergePart[]): readonly [ShardPart, ...ShardPart[]] {
  const parts = results.map(({ file, result }) => {
    const { shard } = result.header;
    if (shard === undefined) throw refuseMerge(`${file} is no part of a run: it was made without --shard`);
    if (shard.index > shard.of) throw refuseMerge(`${file} says that it is shard ${shard.index} of ${shard.of}`);
    return { file, result, shard };
  });
  requireSameRun(parts);
  requireDistinct(parts);
  const [first, ...others] = parts.toSorted((a, b) => a.shard.index - b.shard.index);
  if (first === undefined) throw refuseMerge('there is nothing to merge');
  return [first, ...others];
}

/** Throws unless the program made the run, because rules are judged again. */
export function requireProgram({ tool }: ResultHeader, here: ResultHeader['tool']): void {
  if (tool.version !== here.version)
    throw refuseMerge(
      `the run was made by carrierspec ${tool.version}, and this is ${here.version}: merge with ${tool.version}`,
    );
  if (tool.digest === here.digest) return;
  throw refuseMerge(
    `the run was made by another program of version ${tool.version}: its digest is ${tool.digest}, and here ${here.digest}`,
  );
}

/** Throws unless the suites are those of the run, because rules are judged again. */
export function requireSuites({ suites }: ResultHeader, { digests }: Pick<Suites, 'digests'>): void {
  const differing = (['rules', 'suites'] as const).filter((name) => suites[name] !== digests[name]);
  if (differing.length === 0) return;
  const why = differing.map((name) => `the digest of the ${name} is ${digests[name]} here and was ${suites[name]}`);
  throw refuseMerge(`the suites here are not those of the run: ${why.join('; ')}; give --suites as the run had it`);
}

/** Throws unless each part that ended is as its run wrote it: the whole would be sealed with what was changed in it. */
export function requireSealed(parts: readonly ShardPart[]): void {
  for (const { file, result } of parts) {
    const flaw = result.footer === undefined ? undefined : findSealFlaw(result);
    if (flaw !== undefined) throw refuseMerge(`${file}: ${flaw}`);
  }
}
