import { dirname } from 'node:path';
import { quoteWord } from '../../lib/shell.ts';
import { flagValues, withoutFlag } from '../../model/flags.ts';
import { isRiskWord } from '../../model/risk.ts';
import type { Result } from '../../model/result.ts';
import { countStandings } from '../../verdict/counts.ts';
import { runEnding } from '../../verdict/ending.ts';
import { renderCommand } from './facts.ts';
import { canResume, ownFiles, resumeWords } from './meaning.ts';
import { runScope } from '../../verdict/headline.ts';

type Ended = Pick<Result, 'header' | 'footer' | 'rules'>;

const isUnfinished = (ended: Ended): boolean => {
  const ending = runEnding(ended);
  return ending === 'broken' || ending === 'internal' || ending === 'incomplete';
};

/** Flag for the folder of the result, unless a run finds it by itself. */
function outFlag(file: string | undefined): string {
  const folder = file === undefined ? '' : dirname(file);
  return folder === '' || folder.startsWith('carrierspec-report') ? '' : ` --out ${quoteWord(folder)}`;
}

/** Most names of a selection that a command repeats; the earlier run has the others. */
const maxNames = 3;

/** Command that runs the cases without a pass again. */
const failedAgain = (ended: Ended, file: string | undefined): string =>
  `carrierspec run --last-failed${ownFiles(ended)}${outFlag(file)}`;

/** The run of all rules after a run of some. A run that leaves out what is unfit for production goes on without it. */
function afterPart(header: Result['header']): string | undefined {
  if (!runScope(header).isPartial) return undefined;
  const { selection, flags } = header;
  const without = flagValues(flags, '--without');
  const kept = without.filter(isRiskWord);
  if (selection.length === 0 && without.length === kept.length) return undefined;
  const wider = [...withoutFlag(flags, '--without'), ...kept.flatMap((word) => ['--without', word])];
  return `${renderCommand([], wider)}  judges every rule${kept.length === 0 ? '' : ' that is fit for production'}`;
}

/** The next command where nothing that counts is broken or open. */
function afterPass(ended: Ended, file: string | undefined): string | undefined {
  const { header, rules } = ended;
  const { selection, flags, profile } = header;
  const { 'not followed': notFollowed = 0, uncounted = 0 } = countStandings(rules);
  if (notFollowed + uncounted > 0 && profile !== 'strict') {
    const strict = [...withoutFlag(flags, '--profile'), '--profile', 'strict'];
    const isShort = selection.length <= maxNames;
    const again = isShort ? renderCommand(selection, strict) : `${failedAgain(ended, file)} --profile strict`;
    return `${again}  counts the rules that are not followed`;
  }
  const wider = afterPart(header);
  if (wider !== undefined) return wider;
  if (flags.includes('--target'))
    return `carrierspec certify ${quoteWord(file ?? 'result.json')} --key KEY  signs the outcome`;
  return flagValues(flags, '--fault').length > 0
    ? undefined
    : 'carrierspec init  writes a target file for a carrier of your own';
}

/** The command that the reader of this run types next, and what it is for; undefined if there is none. `file` has the result. */
export function nextStep(ended: Ended, file?: string): string | undefined {
  const { header, footer } = ended;
  if (runEnding(ended) === 'interrupted') {
    if (!canResume(ended)) return `${renderCommand(header.selection, header.flags)}  runs it again`;
    // A run that was interrupted says itself how it goes on.
    return footer === undefined ? `${resumeWords(ended)}${outFlag(file)}  goes on where it stopped` : undefined;
  }
  if (footer?.root !== undefined) return undefined;
  if (!isUnfinished(ended)) return afterPass(ended, file);
  const isNamed = (footer?.named ?? []).length > 0;
  return `${failedAgain(ended, file)}${isNamed ? ' --profile strict' : ''}  runs the cases without a pass again`;
}
