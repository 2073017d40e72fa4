interface RefusalForm {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refusal of a request, in the terms of §2.5. */
export class Refusal extends Error {
  readonly error: string;
  readonly description: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: string, description: string, { status = 400, headers = {} }: RefusalForm = {}) {
    super(`${error}: ${description}`);
    this.name = 'Refusal';
    this.error = error;
    this.description = description;
    this.status = status;
    this.headers = headers;
  }
}

/** Throws a Refusal. `description` keeps to the characters of RFC 6749 §5.2 and never repeats what was sent. */
export function refuse(error: string, description: string, status = 400): never {
  throw new Refusal(error, description, { status });
}
