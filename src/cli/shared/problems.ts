import type { Problem } from '../../model/problem.ts';
import { renderProblem } from '../../suite/yaml/problems.ts';
import type { Invocation } from './command.ts';
import { pageOf } from './page.ts';

/** Most problems shown at once. */
const mostShown = 200;

/** Renders problems for stderr; on a terminal the position is bold and the caret red. */
export function renderProblems(
  problems: readonly Problem[],
  { stderr, env }: Pick<Invocation, 'stderr' | 'env'>,
): string {
  const { paint } = pageOf({ stdout: stderr, env });
  const colours = { place: paint.bold, mark: paint.red, aside: paint.dim };
  const shown = problems.slice(0, mostShown).map((problem) => renderProblem(problem, colours));
  const left = problems.length - shown.length;
  return [...shown, ...(left > 0 ? [`... and ${left} more`] : [])].join('\n\n');
}
