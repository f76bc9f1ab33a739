// The parts of node-av that tasks use. Its index loads WebRTC and more besides, which takes longer than opening a file.
import type * as api from 'node-av/api'

export type Demuxer = api.Demuxer
export type Muxer = api.Muxer
export type Decoder = api.Decoder
export type Encoder = api.Encoder
export type FilterAPI = api.FilterAPI

const load = (file: string): Promise<typeof api> => import(new URL(file, import.meta.resolve('node-av/api')).href)

export const { Demuxer } = await load('demuxer.js')
export const { Muxer } = await load('muxer.js')
export const { Decoder } = await load('decoder.js')
export const { Encoder } = await load('encoder.js')
export const { FilterAPI } = await load('filter.js')
