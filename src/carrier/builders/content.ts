/** Content of an outgoing message, with the header fields that describe it (RFC 9110 §8). */
export interface EncodedContent {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ContentBuilders {
  readonly response: (text: string) => EncodedContent;
  readonly callback: (text: string) => EncodedContent;
  readonly event: (text: string) => EncodedContent;
}

const inUtf8 = (text: string): EncodedContent => ({ bytes: Buffer.from(text), headers: {} });

/** RFC 8259 §8.1. */
export const strictContent: ContentBuilders = { response: inUtf8, callback: inUtf8, event: inUtf8 };
