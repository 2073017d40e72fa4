import { createGate, type Gate } from './gate.ts';

/** Programs of one phone run one after the other, and no more than `limit` at all. */
export interface ProgramGate {
  readonly pass: <T>(phone: string, task: () => Promise<T>) => Promise<T>;
}

export function createProgramGate(limit: number): ProgramGate {
  const all = createGate(limit);
  const phones = new Map<string, Gate>();
  return {
    pass: (phone, task) => {
      const own = phones.get(phone) ?? createGate(1);
      phones.set(phone, own);
      return own.pass(() => all.pass(task));
    },
  };
}
