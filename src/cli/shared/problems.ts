import type { Problem } from '../../model/problem.ts';
import { renderProblem } from '../../suite/yaml/problems.ts';
import type { Invocation } from './command.ts';
import { createTerminalPage } from './page.ts';

/** Most problems shown at once. */
const maxProblems = 200;

/** Renders problems for stderr; on a terminal the position is bold and the caret red. */
export function renderStderrProblems(
  problems: readonly Problem[],
  { stderr, env }: Pick<Invocation, 'stderr' | 'env'>,
): string {
  const { paint } = createTerminalPage({ stdout: stderr, env });
  const colours = { place: paint.bold, mark: paint.red, aside: paint.dim };
  const shown = problems.slice(0, maxProblems).map((problem) => renderProblem(problem, colours));
  const left = problems.length - shown.length;
  return [...shown, ...(left > 0 ? [`... and ${left} more`] : [])].join('\n\n');
}
