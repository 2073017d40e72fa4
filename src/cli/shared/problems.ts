import type { Problem } from '../../model/problem.ts';
import { renderProblem } from '../../suite/yaml/problems.ts';
import { type Invocation, pageOf } from './invocation.ts';

/** Problems as stderr shows them: on a terminal the place stands out, and the caret is red. */
export function renderProblems(
  problems: readonly Problem[],
  { stderr, env }: Pick<Invocation, 'stderr' | 'env'>,
): string {
  const { paint } = pageOf({ stdout: stderr, env });
  const colours = { place: paint.bold, mark: paint.red, aside: paint.dim };
  return problems.map((problem) => renderProblem(problem, colours)).join('\n\n');
}
