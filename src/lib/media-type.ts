/** Media type of a content-type value, without parameters, in lower case (RFC 9110 §8.3). */
export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Whether the type is application/json or ends in +json (RFC 6839 §3.1). */
export const isJsonType = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json$/.test(mediaType(contentType));
