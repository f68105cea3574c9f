# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Wrappers of the functions of ``cudnn_gnn_ops.h``."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ..._support.enums import enum_value
from ..._support.lazy import LazyModule
from ..._support.library import CALL_ERRORS, LibraryBase
from ..._support.pointers import DevicePointer, Stream, device_pointer, optional_device_pointer, stream_pointer
from ..enums import DataType, GnnAggOp

if TYPE_CHECKING:
    from .. import structs
else:
    structs = LazyModule("..structs", __package__)

__all__ = ["GnnOpsFunctions"]


class GnnOpsFunctions(LibraryBase):
    """Functions of ``cudnn_gnn_ops.h``, as methods of the loaded library."""

    def gnn_agg_simple_forward(
        self,
        stream: Stream,
        graph: structs.GnnCscGraph,
        node_features: DevicePointer | None,
        edge_features: DevicePointer | None,
        concat_features: DevicePointer | None,
        output: DevicePointer,
        out_positions: DevicePointer | None,
        node_feat_dim: int,
        edge_feat_dim: int,
        concat_feat_dim: int,
        data_type: DataType | int,
        agg_op: GnnAggOp | int,
    ) -> None:
        """Compute (GnnAggSimple, forward): ``cudnnGnnAggSimpleForward``.

        Since 9.26.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        graph : structs.GnnCscGraph
            ``const cudnnGnnCscGraph_t *graph``, in.
        node_features : DevicePointer | None
            ``const void *nodeFeatures``, in, device memory.
        edge_features : DevicePointer | None
            ``const void *edgeFeatures``, in, device memory.
        concat_features : DevicePointer | None
            ``const void *concatFeatures``, in, device memory.
        output : DevicePointer
            ``void *output``, out, device memory.
        out_positions : DevicePointer | None
            ``void *outPositions``, out, device memory.
        node_feat_dim : int
            ``int nodeFeatDim``, in.
        edge_feat_dim : int
            ``int edgeFeatDim``, in.
        concat_feat_dim : int
            ``int concatFeatDim``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        agg_op : GnnAggOp | int
            ``cudnnGnnAggOp_t aggOp``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            graph_data = graph._to_c(self)
            status = self._lib.cudnnGnnAggSimpleForward(
                stream_pointer(stream, "stream"),
                self._ffi.cast("void *", graph_data),
                optional_device_pointer(node_features, "node_features"),
                optional_device_pointer(edge_features, "edge_features"),
                optional_device_pointer(concat_features, "concat_features"),
                device_pointer(output, "output"),
                optional_device_pointer(out_positions, "out_positions"),
                index(node_feat_dim),
                index(edge_feat_dim),
                index(concat_feat_dim),
                enum_value(data_type, DataType),
                enum_value(agg_op, GnnAggOp),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGnnAggSimpleForward",
                error,
                stream=stream,
                graph=graph,
                node_features=node_features,
                edge_features=edge_features,
                concat_features=concat_features,
                output=output,
                out_positions=out_positions,
                node_feat_dim=node_feat_dim,
                edge_feat_dim=edge_feat_dim,
                concat_feat_dim=concat_feat_dim,
                data_type=data_type,
                agg_op=agg_op,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGnnAggSimpleForward",
                status,
                stream=stream,
                graph=graph,
                node_features=node_features,
                edge_features=edge_features,
                concat_features=concat_features,
                output=output,
                out_positions=out_positions,
                node_feat_dim=node_feat_dim,
                edge_feat_dim=edge_feat_dim,
                concat_feat_dim=concat_feat_dim,
                data_type=data_type,
                agg_op=agg_op,
            )

    def gnn_agg_simple_backward(
        self,
        stream: Stream,
        graph: structs.GnnCscGraph,
        grad_output: DevicePointer,
        out_positions: DevicePointer | None,
        grad_node_features: DevicePointer | None,
        grad_edge_features: DevicePointer | None,
        grad_concat_features: DevicePointer | None,
        node_feat_dim: int,
        edge_feat_dim: int,
        concat_feat_dim: int,
        data_type: DataType | int,
        agg_op: GnnAggOp | int,
    ) -> None:
        """Compute gradients (GnnAggSimple, backward): ``cudnnGnnAggSimpleBackward``.

        Since 9.26.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        graph : structs.GnnCscGraph
            ``const cudnnGnnCscGraph_t *graph``, in.
        grad_output : DevicePointer
            ``const void *gradOutput``, in, device memory.
        out_positions : DevicePointer | None
            ``const void *outPositions``, in, device memory.
        grad_node_features : DevicePointer | None
            ``void *gradNodeFeatures``, inout, device memory.
        grad_edge_features : DevicePointer | None
            ``void *gradEdgeFeatures``, inout, device memory.
        grad_concat_features : DevicePointer | None
            ``void *gradConcatFeatures``, out, device memory.
        node_feat_dim : int
            ``int nodeFeatDim``, in.
        edge_feat_dim : int
            ``int edgeFeatDim``, in.
        concat_feat_dim : int
            ``int concatFeatDim``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        agg_op : GnnAggOp | int
            ``cudnnGnnAggOp_t aggOp``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            graph_data = graph._to_c(self)
            status = self._lib.cudnnGnnAggSimpleBackward(
                stream_pointer(stream, "stream"),
                self._ffi.cast("void *", graph_data),
                device_pointer(grad_output, "grad_output"),
                optional_device_pointer(out_positions, "out_positions"),
                optional_device_pointer(grad_node_features, "grad_node_features"),
                optional_device_pointer(grad_edge_features, "grad_edge_features"),
                optional_device_pointer(grad_concat_features, "grad_concat_features"),
                index(node_feat_dim),
                index(edge_feat_dim),
                index(concat_feat_dim),
                enum_value(data_type, DataType),
                enum_value(agg_op, GnnAggOp),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGnnAggSimpleBackward",
                error,
                stream=stream,
                graph=graph,
                grad_output=grad_output,
                out_positions=out_positions,
                grad_node_features=grad_node_features,
                grad_edge_features=grad_edge_features,
                grad_concat_features=grad_concat_features,
                node_feat_dim=node_feat_dim,
                edge_feat_dim=edge_feat_dim,
                concat_feat_dim=concat_feat_dim,
                data_type=data_type,
                agg_op=agg_op,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGnnAggSimpleBackward",
                status,
                stream=stream,
                graph=graph,
                grad_output=grad_output,
                out_positions=out_positions,
                grad_node_features=grad_node_features,
                grad_edge_features=grad_edge_features,
                grad_concat_features=grad_concat_features,
                node_feat_dim=node_feat_dim,
                edge_feat_dim=edge_feat_dim,
                concat_feat_dim=concat_feat_dim,
                data_type=data_type,
                agg_op=agg_op,
            )

    def gnn_mha_gat_forward(
        self,
        stream: Stream,
        graph: structs.GnnCscGraph,
        src_features: DevicePointer,
        dst_features: DevicePointer,
        edge_features: DevicePointer | None,
        attn_weights: DevicePointer,
        dropout_mask: DevicePointer | None,
        output: DevicePointer,
        sm_scores: DevicePointer,
        dim_node: int,
        dim_edge: int,
        params: structs.GnnMhaParams,
        data_type: DataType | int,
    ) -> None:
        """Compute (GnnMhaGat, forward): ``cudnnGnnMhaGatForward``.

        Since 9.28.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        graph : structs.GnnCscGraph
            ``const cudnnGnnCscGraph_t *graph``, in.
        src_features : DevicePointer
            ``const void *srcFeatures``, in, device memory.
        dst_features : DevicePointer
            ``const void *dstFeatures``, in, device memory.
        edge_features : DevicePointer | None
            ``const void *edgeFeatures``, in, device memory.
        attn_weights : DevicePointer
            ``const void *attnWeights``, in, device memory.
        dropout_mask : DevicePointer | None
            ``const float *dropoutMask``, in, device memory.
        output : DevicePointer
            ``void *output``, out, device memory.
        sm_scores : DevicePointer
            ``void *smScores``, out, device memory.
        dim_node : int
            ``int dimNode``, in.
        dim_edge : int
            ``int dimEdge``, in.
        params : structs.GnnMhaParams
            ``const cudnnGnnMhaParams_t *params``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            graph_data = graph._to_c(self)
            status = self._lib.cudnnGnnMhaGatForward(
                stream_pointer(stream, "stream"),
                self._ffi.cast("void *", graph_data),
                device_pointer(src_features, "src_features"),
                device_pointer(dst_features, "dst_features"),
                optional_device_pointer(edge_features, "edge_features"),
                device_pointer(attn_weights, "attn_weights"),
                optional_device_pointer(dropout_mask, "dropout_mask"),
                device_pointer(output, "output"),
                device_pointer(sm_scores, "sm_scores"),
                index(dim_node),
                index(dim_edge),
                params._to_c(self),
                enum_value(data_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGnnMhaGatForward",
                error,
                stream=stream,
                graph=graph,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                dropout_mask=dropout_mask,
                output=output,
                sm_scores=sm_scores,
                dim_node=dim_node,
                dim_edge=dim_edge,
                params=params,
                data_type=data_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGnnMhaGatForward",
                status,
                stream=stream,
                graph=graph,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                dropout_mask=dropout_mask,
                output=output,
                sm_scores=sm_scores,
                dim_node=dim_node,
                dim_edge=dim_edge,
                params=params,
                data_type=data_type,
            )

    def gnn_mha_gat_backward(
        self,
        stream: Stream,
        graph: structs.GnnCscGraph,
        grad_out: DevicePointer,
        src_features: DevicePointer,
        dst_features: DevicePointer,
        edge_features: DevicePointer | None,
        attn_weights: DevicePointer,
        sm_scores: DevicePointer,
        dropout_mask: DevicePointer | None,
        grad_attention: DevicePointer | None,
        grad_src_features: DevicePointer,
        grad_dst_features: DevicePointer,
        grad_edge_features: DevicePointer | None,
        grad_weights: DevicePointer,
        grad_sm_scores: DevicePointer,
        grad_wspace_feat: DevicePointer | None,
        grad_wspace_weights: DevicePointer | None,
        dim_node: int,
        dim_edge: int,
        params: structs.GnnMhaParams,
        data_type: DataType | int,
        grad_data_type: DataType | int,
        grad_weight_type: DataType | int,
    ) -> None:
        """Compute gradients (GnnMhaGat, backward): ``cudnnGnnMhaGatBackward``.

        Since 9.28.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        graph : structs.GnnCscGraph
            ``const cudnnGnnCscGraph_t *graph``, in.
        grad_out : DevicePointer
            ``const void *gradOut``, in, device memory.
        src_features : DevicePointer
            ``const void *srcFeatures``, in, device memory.
        dst_features : DevicePointer
            ``const void *dstFeatures``, in, device memory.
        edge_features : DevicePointer | None
            ``const void *edgeFeatures``, in, device memory.
        attn_weights : DevicePointer
            ``const void *attnWeights``, in, device memory.
        sm_scores : DevicePointer
            ``const void *smScores``, in, device memory.
        dropout_mask : DevicePointer | None
            ``const float *dropoutMask``, in, device memory.
        grad_attention : DevicePointer | None
            ``const float *gradAttention``, in, device memory.
        grad_src_features : DevicePointer
            ``void *gradSrcFeatures``, out, device memory.
        grad_dst_features : DevicePointer
            ``void *gradDstFeatures``, out, device memory.
        grad_edge_features : DevicePointer | None
            ``void *gradEdgeFeatures``, out, device memory.
        grad_weights : DevicePointer
            ``void *gradWeights``, out, device memory.
        grad_sm_scores : DevicePointer
            ``void *gradSmScores``, out, device memory.
        grad_wspace_feat : DevicePointer | None
            ``void *gradWspaceFeat``, inout, device memory.
        grad_wspace_weights : DevicePointer | None
            ``void *gradWspaceWeights``, inout, device memory.
        dim_node : int
            ``int dimNode``, in.
        dim_edge : int
            ``int dimEdge``, in.
        params : structs.GnnMhaParams
            ``const cudnnGnnMhaParams_t *params``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        grad_data_type : DataType | int
            ``cudnnDataType_t gradDataType``, in.
        grad_weight_type : DataType | int
            ``cudnnDataType_t gradWeightType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            graph_data = graph._to_c(self)
            status = self._lib.cudnnGnnMhaGatBackward(
                stream_pointer(stream, "stream"),
                self._ffi.cast("void *", graph_data),
                device_pointer(grad_out, "grad_out"),
                device_pointer(src_features, "src_features"),
                device_pointer(dst_features, "dst_features"),
                optional_device_pointer(edge_features, "edge_features"),
                device_pointer(attn_weights, "attn_weights"),
                device_pointer(sm_scores, "sm_scores"),
                optional_device_pointer(dropout_mask, "dropout_mask"),
                optional_device_pointer(grad_attention, "grad_attention"),
                device_pointer(grad_src_features, "grad_src_features"),
                device_pointer(grad_dst_features, "grad_dst_features"),
                optional_device_pointer(grad_edge_features, "grad_edge_features"),
                device_pointer(grad_weights, "grad_weights"),
                device_pointer(grad_sm_scores, "grad_sm_scores"),
                optional_device_pointer(grad_wspace_feat, "grad_wspace_feat"),
                optional_device_pointer(grad_wspace_weights, "grad_wspace_weights"),
                index(dim_node),
                index(dim_edge),
                params._to_c(self),
                enum_value(data_type, DataType),
                enum_value(grad_data_type, DataType),
                enum_value(grad_weight_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGnnMhaGatBackward",
                error,
                stream=stream,
                graph=graph,
                grad_out=grad_out,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                sm_scores=sm_scores,
                dropout_mask=dropout_mask,
                grad_attention=grad_attention,
                grad_src_features=grad_src_features,
                grad_dst_features=grad_dst_features,
                grad_edge_features=grad_edge_features,
                grad_weights=grad_weights,
                grad_sm_scores=grad_sm_scores,
                grad_wspace_feat=grad_wspace_feat,
                grad_wspace_weights=grad_wspace_weights,
                dim_node=dim_node,
                dim_edge=dim_edge,
                params=params,
                data_type=data_type,
                grad_data_type=grad_data_type,
                grad_weight_type=grad_weight_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGnnMhaGatBackward",
                status,
                stream=stream,
                graph=graph,
                grad_out=grad_out,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                sm_scores=sm_scores,
                dropout_mask=dropout_mask,
                grad_attention=grad_attention,
                grad_src_features=grad_src_features,
                grad_dst_features=grad_dst_features,
                grad_edge_features=grad_edge_features,
                grad_weights=grad_weights,
                grad_sm_scores=grad_sm_scores,
                grad_wspace_feat=grad_wspace_feat,
                grad_wspace_weights=grad_wspace_weights,
                dim_node=dim_node,
                dim_edge=dim_edge,
                params=params,
                data_type=data_type,
                grad_data_type=grad_data_type,
                grad_weight_type=grad_weight_type,
            )

    def gnn_mha_gat_v2_forward(
        self,
        stream: Stream,
        graph: structs.GnnCscGraph,
        src_features: DevicePointer,
        dst_features: DevicePointer,
        edge_features: DevicePointer | None,
        attn_weights: DevicePointer,
        dropout_mask: DevicePointer | None,
        output: DevicePointer,
        sm_scores: DevicePointer,
        act_scores: DevicePointer,
        dim_node: int,
        params: structs.GnnMhaParams,
        data_type: DataType | int,
    ) -> None:
        """Compute (GnnMhaGatV2, forward): ``cudnnGnnMhaGatV2Forward``.

        Since 9.28.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        graph : structs.GnnCscGraph
            ``const cudnnGnnCscGraph_t *graph``, in.
        src_features : DevicePointer
            ``const void *srcFeatures``, in, device memory.
        dst_features : DevicePointer
            ``const void *dstFeatures``, in, device memory.
        edge_features : DevicePointer | None
            ``const void *edgeFeatures``, in, device memory.
        attn_weights : DevicePointer
            ``const void *attnWeights``, in, device memory.
        dropout_mask : DevicePointer | None
            ``const float *dropoutMask``, in, device memory.
        output : DevicePointer
            ``void *output``, out, device memory.
        sm_scores : DevicePointer
            ``void *smScores``, out, device memory.
        act_scores : DevicePointer
            ``void *actScores``, out, device memory.
        dim_node : int
            ``int dimNode``, in.
        params : structs.GnnMhaParams
            ``const cudnnGnnMhaParams_t *params``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            graph_data = graph._to_c(self)
            status = self._lib.cudnnGnnMhaGatV2Forward(
                stream_pointer(stream, "stream"),
                self._ffi.cast("void *", graph_data),
                device_pointer(src_features, "src_features"),
                device_pointer(dst_features, "dst_features"),
                optional_device_pointer(edge_features, "edge_features"),
                device_pointer(attn_weights, "attn_weights"),
                optional_device_pointer(dropout_mask, "dropout_mask"),
                device_pointer(output, "output"),
                device_pointer(sm_scores, "sm_scores"),
                device_pointer(act_scores, "act_scores"),
                index(dim_node),
                params._to_c(self),
                enum_value(data_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGnnMhaGatV2Forward",
                error,
                stream=stream,
                graph=graph,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                dropout_mask=dropout_mask,
                output=output,
                sm_scores=sm_scores,
                act_scores=act_scores,
                dim_node=dim_node,
                params=params,
                data_type=data_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGnnMhaGatV2Forward",
                status,
                stream=stream,
                graph=graph,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                dropout_mask=dropout_mask,
                output=output,
                sm_scores=sm_scores,
                act_scores=act_scores,
                dim_node=dim_node,
                params=params,
                data_type=data_type,
            )

    def gnn_mha_gat_v2_backward(
        self,
        stream: Stream,
        graph: structs.GnnCscGraph,
        grad_out: DevicePointer,
        src_features: DevicePointer,
        dst_features: DevicePointer,
        edge_features: DevicePointer | None,
        attn_weights: DevicePointer,
        sm_scores: DevicePointer,
        act_scores: DevicePointer,
        dropout_mask: DevicePointer | None,
        grad_attention: DevicePointer | None,
        grad_src_features: DevicePointer,
        grad_dst_features: DevicePointer,
        grad_edge_features: DevicePointer | None,
        grad_weights: DevicePointer | None,
        grad_sm_scores: DevicePointer,
        grad_wspace_feat: DevicePointer | None,
        grad_wspace_weights: DevicePointer | None,
        dim_node: int,
        params: structs.GnnMhaParams,
        data_type: DataType | int,
        grad_type: DataType | int,
    ) -> None:
        """Compute gradients (GnnMhaGatV2, backward): ``cudnnGnnMhaGatV2Backward``.

        Since 9.28.0.

        Parameters
        ----------
        stream : Stream
            ``cudaStream_t stream``, in, 0: the default stream.
        graph : structs.GnnCscGraph
            ``const cudnnGnnCscGraph_t *graph``, in.
        grad_out : DevicePointer
            ``const void *gradOut``, in, device memory.
        src_features : DevicePointer
            ``const void *srcFeatures``, in, device memory.
        dst_features : DevicePointer
            ``const void *dstFeatures``, in, device memory.
        edge_features : DevicePointer | None
            ``const void *edgeFeatures``, in, device memory.
        attn_weights : DevicePointer
            ``const void *attnWeights``, in, device memory.
        sm_scores : DevicePointer
            ``const void *smScores``, in, device memory.
        act_scores : DevicePointer
            ``const void *actScores``, in, device memory.
        dropout_mask : DevicePointer | None
            ``const float *dropoutMask``, in, device memory.
        grad_attention : DevicePointer | None
            ``const float *gradAttention``, in, device memory.
        grad_src_features : DevicePointer
            ``void *gradSrcFeatures``, out, device memory.
        grad_dst_features : DevicePointer
            ``void *gradDstFeatures``, out, device memory.
        grad_edge_features : DevicePointer | None
            ``void *gradEdgeFeatures``, out, device memory.
        grad_weights : DevicePointer | None
            ``void *gradWeights``, out, device memory.
        grad_sm_scores : DevicePointer
            ``void *gradSmScores``, out, device memory.
        grad_wspace_feat : DevicePointer | None
            ``void *gradWspaceFeat``, inout, device memory.
        grad_wspace_weights : DevicePointer | None
            ``void *gradWspaceWeights``, inout, device memory.
        dim_node : int
            ``int dimNode``, in.
        params : structs.GnnMhaParams
            ``const cudnnGnnMhaParams_t *params``, in.
        data_type : DataType | int
            ``cudnnDataType_t dataType``, in.
        grad_type : DataType | int
            ``cudnnDataType_t gradType``, in.

        Raises
        ------
        StatusError
            The library answers anything but success.
        """
        try:
            graph_data = graph._to_c(self)
            status = self._lib.cudnnGnnMhaGatV2Backward(
                stream_pointer(stream, "stream"),
                self._ffi.cast("void *", graph_data),
                device_pointer(grad_out, "grad_out"),
                device_pointer(src_features, "src_features"),
                device_pointer(dst_features, "dst_features"),
                optional_device_pointer(edge_features, "edge_features"),
                device_pointer(attn_weights, "attn_weights"),
                device_pointer(sm_scores, "sm_scores"),
                device_pointer(act_scores, "act_scores"),
                optional_device_pointer(dropout_mask, "dropout_mask"),
                optional_device_pointer(grad_attention, "grad_attention"),
                device_pointer(grad_src_features, "grad_src_features"),
                device_pointer(grad_dst_features, "grad_dst_features"),
                optional_device_pointer(grad_edge_features, "grad_edge_features"),
                optional_device_pointer(grad_weights, "grad_weights"),
                device_pointer(grad_sm_scores, "grad_sm_scores"),
                optional_device_pointer(grad_wspace_feat, "grad_wspace_feat"),
                optional_device_pointer(grad_wspace_weights, "grad_wspace_weights"),
                index(dim_node),
                params._to_c(self),
                enum_value(data_type, DataType),
                enum_value(grad_type, DataType),
            )
        except CALL_ERRORS as error:
            raise self._argument_error(
                "cudnnGnnMhaGatV2Backward",
                error,
                stream=stream,
                graph=graph,
                grad_out=grad_out,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                sm_scores=sm_scores,
                act_scores=act_scores,
                dropout_mask=dropout_mask,
                grad_attention=grad_attention,
                grad_src_features=grad_src_features,
                grad_dst_features=grad_dst_features,
                grad_edge_features=grad_edge_features,
                grad_weights=grad_weights,
                grad_sm_scores=grad_sm_scores,
                grad_wspace_feat=grad_wspace_feat,
                grad_wspace_weights=grad_wspace_weights,
                dim_node=dim_node,
                params=params,
                data_type=data_type,
                grad_type=grad_type,
            ) from None
        if status:
            raise self._status_error(
                "cudnnGnnMhaGatV2Backward",
                status,
                stream=stream,
                graph=graph,
                grad_out=grad_out,
                src_features=src_features,
                dst_features=dst_features,
                edge_features=edge_features,
                attn_weights=attn_weights,
                sm_scores=sm_scores,
                act_scores=act_scores,
                dropout_mask=dropout_mask,
                grad_attention=grad_attention,
                grad_src_features=grad_src_features,
                grad_dst_features=grad_dst_features,
                grad_edge_features=grad_edge_features,
                grad_weights=grad_weights,
                grad_sm_scores=grad_sm_scores,
                grad_wspace_feat=grad_wspace_feat,
                grad_wspace_weights=grad_wspace_weights,
                dim_node=dim_node,
                params=params,
                data_type=data_type,
                grad_type=grad_type,
            )
