import type { Problem } from '../../model/problem.ts';

/** Collects problems; the same one seen twice (in every row of a matrix) counts once. */
export interface Problems {
  readonly report: (problem: Problem) => void;
  /** By file, line and column. */
  readonly sorted: () => readonly Problem[];
}

export function createProblems(): Problems {
  const found = new Map<string, Problem>();
  return {
    report: (problem) => {
      const { file, line, column } = problem.position;
      const key = `${file}\n${line}:${column}\n${problem.message}`;
      if (!found.has(key)) found.set(key, problem);
    },
    sorted: () => [...found.values()].sort(byPosition),
  };
}

function byPosition({ position: left }: Problem, { position: right }: Problem): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}
