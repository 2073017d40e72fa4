/** Content of an outgoing message, with the header fields that describe it (RFC 9110 §8). */
export interface Content {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ContentBuilders {
  readonly response: (text: string) => Content;
  readonly callback: (text: string) => Content;
  readonly event: (text: string) => Content;
}

const inUtf8 = (text: string): Content => ({ bytes: Buffer.from(text), headers: {} });

/** RFC 8259 §8.1. */
export const strictContent: ContentBuilders = { response: inUtf8, callback: inUtf8, event: inUtf8 };
