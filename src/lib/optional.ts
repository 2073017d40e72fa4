/** The members that have a value: what an optional property under `exactOptionalPropertyTypes` wants. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<T extends object>(record: T): Defined<T> {
  const found: { [name: string]: unknown } = {};
  const names = Object.keys(record);
  for (const name of names) {
    const value: unknown = record[name as keyof T];
    if (value !== undefined) found[name] = value;
  }
  // Every member that has a value is there, and no other.
  return found as Defined<T>;
}
