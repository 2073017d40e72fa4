/** A factor with its choices; each row takes one. */
export interface Factor {
  readonly id: string;
  readonly choices: readonly string[];
}

/** A choice for every factor, by the factor's id. */
export type CoverRow = Readonly<Record<string, string>>;

/** Factors as numbers: each choice of each factor is one *value*, numbered across all factors. */
export interface Domain {
  readonly factors: readonly Factor[];
  /** First value of each factor, followed by the number of all values. */
  readonly first: readonly number[];
  readonly factorOf: readonly number[];
  readonly size: number;
  /** 1 at `a * size + b` if the values a and b exclude each other. */
  readonly refused: Uint8Array;
}

/** Two choices that exclude each other, each as `[factor, choice]`. */
export type Exclusion = readonly [readonly [string, string], readonly [string, string]];

export function buildDomain(factors: readonly Factor[], exclusions: readonly Exclusion[]): Domain {
  const first: number[] = [];
  const factorOf: number[] = [];
  const known = new Map<string, number>();
  for (const [index, { id, choices }] of factors.entries()) {
    first.push(factorOf.length);
    for (const choice of choices) {
      known.set(JSON.stringify([id, choice]), factorOf.length);
      factorOf.push(index);
    }
  }
  const size = factorOf.length;
  first.push(size);
  const refused = new Uint8Array(size * size);
  for (const [one, other] of exclusions) {
    const [a, b] = [known.get(JSON.stringify(one)), known.get(JSON.stringify(other))];
    if (a === undefined || b === undefined) throw new Error(`no such choice: ${one.join('/')} or ${other.join('/')}`);
    refused[a * size + b] = 1;
    refused[b * size + a] = 1;
  }
  return { factors, first, factorOf, size, refused };
}

export function factorValues({ first }: Domain, factor: number): readonly number[] {
  const [from = 0, to = 0] = [first[factor], first[factor + 1]];
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Whether a value is allowed beside the values in a row (-1: none yet). */
export const isAllowed = ({ refused, size }: Domain, value: number, row: readonly number[]): boolean =>
  row.every((other) => other < 0 || refused[value * size + other] === 0);

/** Order in which factors get their values, and order in which values are tried. */
interface CompletionOrder {
  readonly order: readonly number[];
  readonly prefer: (factor: number, row: readonly number[]) => readonly number[];
}

/** Completes a row, backtracking where exclusions leave no value. Undefined if it cannot be completed. */
export function completeRow(
  domain: Domain,
  begun: readonly number[],
  { order, prefer }: CompletionOrder,
): readonly number[] | undefined {
  const row = [...begun];
  const fill = (place: number): boolean => {
    const factor = order[place];
    if (factor === undefined) return true;
    if ((row[factor] ?? -1) >= 0) return fill(place + 1);
    for (const value of prefer(factor, row)) {
      if (!isAllowed(domain, value, row)) continue;
      row[factor] = value;
      if (fill(place + 1)) return true;
    }
    row[factor] = -1;
    return false;
  };
  return fill(0) ? row : undefined;
}

export function makeRow({ factors, first }: Domain, values: readonly number[]): CoverRow {
  const named = factors.map(({ id, choices }, index) => {
    const choice = choices[(values[index] ?? 0) - (first[index] ?? 0)];
    return [id, choice ?? ''] as const;
  });
  return Object.fromEntries(named);
}
