import Type, { type TSchema } from 'typebox'

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** In UTC, with milliseconds. */
export const DateTime = Type.String({ format: 'date-time' })
export const Id = Type.String({ pattern: '^[0-9]+$' })
export const Empty = Type.Object({}, { $id: 'Empty' })
