import Type from 'typebox'
import { IdParam } from '../../http/params.ts'

/** Which notifications a list or a count is about. Types that do not exist match nothing. */
export const filterParams = {
  types: Type.Optional(Type.Array(Type.String())),
  exclude_types: Type.Optional(Type.Array(Type.String())),
  account_id: Type.Optional(IdParam),
}

/** Also what the policy holds back. */
export const includeFilteredParam = { include_filtered: Type.Optional(Type.Boolean()) }

/** The types the client knows. */
export const supportedParam = { supported_types: Type.Optional(Type.Array(Type.String())) }

/** Of which types groups are made; of all that can form some, unless told. */
export const groupedParam = { grouped_types: Type.Optional(Type.Array(Type.String())) }

export const CountResponse = Type.Object({ count: Type.Integer() }, { $id: 'CountResponse' })
