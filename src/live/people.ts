/** Somebody at a page. */
export interface Person {
  /** Drawn by the browser and kept there: the same person after a lost connection. */
  readonly id: string;
  readonly name: string;
}

/** Who is at a page now: each has as many streams as they have pages. */
export interface People {
  readonly come: (person: Person) => () => void;
  /** Names, each person once. */
  readonly names: () => readonly string[];
}

export function createPeople(onChange: () => void): People {
  const streams = new Map<symbol, Person>();
  return {
    come: (person) => {
      const stream = Symbol(person.id);
      streams.set(stream, person);
      onChange();
      return () => {
        if (streams.delete(stream)) onChange();
      };
    },
    names: () => [...new Map([...streams.values()].map(({ id, name }) => [id, name])).values()],
  };
}
